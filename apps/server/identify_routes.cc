// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "problem.h"
#include "routes.h"
#include "text.h"

namespace longshot::server {
namespace {

// A saved camera by its id; "none" and "auto" are none.
std::optional<Camera> camera_option(Service& service, const Json& options) {
  const std::string id = text_option(options, "camera", "none");
  if (id == "none" || id == "auto") return std::nullopt;
  return service.cameras.camera(id);
}

IdentifyOptions identify_options(Service& service, const Json& given) {
  check_options(given, {"probes", "method", "size", "top", "fpir", "camera", "fuse"});
  IdentifyOptions options;
  options.method = text_option(given, "method", options.method);
  options.size = size_option(given, "size");
  options.top = whole_option(given, "top", options.top);
  options.fpir = number_option(given, "fpir", options.fpir);
  options.camera = camera_option(service, given);
  options.learn_camera = text_option(given, "camera", "none") == "auto";
  const std::string fuse = text_option(given, "fuse", "none");
  if (fuse != "none" && fuse != "folder" && fuse != "all") {
    throw bad_request("The option \"fuse\" must be none, folder or all.");
  }
  options.fuse_folders = fuse != "none";
  return options;
}

// All probes of a request are one folder then.
void join_probes(std::vector<Picture>& probes) {
  for (Picture& probe : probes) {
    std::ranges::replace(probe.name, '/', '_');
    probe.name = "all/" + probe.name;
  }
}

// 'it'\''s' for a shell.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// How to ask the same again.
EvidenceText how_asked(Service& service, const Request& request, const Upload& upload,
                       const IdentifyOptions& options) {
  EvidenceText text;
  text.gallery = service.reader.path().filename().string();
  text.method = options.method;
  text.command = "curl -F " + quoted("options=" + upload.options.dump());
  for (const Picture& probe : upload.pictures) {
    text.command += " -F " + quoted("file=@" + probe.name);
  }
  text.command += fmt::format(" http{}://{}/v1/identify", request.tls ? "s" : "",
                              std::string(request.header("host")));
  text.settings = {{"asked at", utc_now()},
                   {"size", options.size ? to_string(*options.size) : "auto"},
                   {"candidates", fmt::format("{}", options.top)},
                   {"false-positive rate", fmt::format("{:g}", options.fpir)},
                   {"camera asked for", text_option(upload.options, "camera", "none")},
                   {"joined", text_option(upload.options, "fuse", "none")}};
  return text;
}

Response identify(Service& service, const Request& request) {
  Upload upload = read_upload(request, "probes", service.limits);
  const IdentifyOptions options = identify_options(service, upload.options);
  EvidenceText text = how_asked(service, request, upload, options);
  if (text_option(upload.options, "fuse", "none") == "all") join_probes(upload.pictures);
  const PixelBudget::Share share = share_for(service, upload);
  Answers answers = service.batcher.identify(
      upload.pictures, options, text_option(upload.options, "camera", "none"), request.actor);
  Json document = Json::parse(to_json(answers));
  for (std::size_t i = 0; i < answers.answers.size(); ++i) {
    Json& probe = document["probes"][i];
    probe["frames_used"] = answers.answers[i].frames;
    probe["rejections"] = rejections_document(answers.answers[i].rejections);
  }
  document["people"] = service.reader.person_count();
  document["fpir"] = options.fpir;
  const std::string report =
      service.reports.keep({std::move(upload.pictures), upload.bytes, upload.pixels, options,
                            std::move(answers), std::move(text)});
  document["report"] = report.empty() ? Json() : Json(report);
  return json_response(document);
}

Response verify(Service& service, const Request& request) {
  const Upload upload = read_upload(request, "probes", service.limits);
  const Json& given = upload.options;
  check_options(given, {"probes", "person", "method", "size", "fmr", "camera"});
  const std::string person = text_option(given, "person", "");
  if (person.empty()) throw bad_request("The option \"person\" must say who it is said to be.");
  VerifyOptions options;
  options.method = text_option(given, "method", options.method);
  options.size = size_option(given, "size");
  options.fmr = number_option(given, "fmr", options.fmr);
  options.camera = camera_option(service, given);
  const PixelBudget::Share share = share_for(service, upload);
  const Verification result = service.asker.verify(upload.pictures, person, options);
  Json document = Json::parse(to_json(result));
  document["fmr"] = options.fmr;
  document["frames_used"] = result.frames;
  document["rejections"] = rejections_document(result.rejections);
  return json_response(document);
}

// "auto" of a comparison: as an answer that is still kept had it, which learnt from all its probes.
void use_learnt_camera(Service& service, const Json& given, CompareOptions& options) {
  const std::string report = text_option(given, "report", "");
  if (report.empty()) {
    throw bad_request("The camera \"auto\" is that of an answer: \"report\" must name it.");
  }
  const Asked asked = service.reports.find(report);
  options.size = asked.answer(number_option(given, "answer", 0.0)).size;
  const auto learnt = std::ranges::find(asked.answers.cameras, *options.size, &Camera::size);
  if (learnt != asked.answers.cameras.end()) options.camera = *learnt;
}

std::string shown_plane(const Plane& plane) {
  return "data:image/png;base64," + to_base64(encode_plane(plane));
}

Response compare(Service& service, const Request& request) {
  const Upload upload = read_upload(request, "probes", service.limits);
  const Json& given = upload.options;
  check_options(given, {"probes", "person", "size", "camera", "photo", "report", "answer"});
  if (upload.pictures.size() != 1) throw bad_request("One probe is compared at a time.");
  const std::string person = text_option(given, "person", "");
  if (person.empty()) throw bad_request("The option \"person\" must say with whom.");
  CompareOptions options;
  options.size = size_option(given, "size");
  options.camera = camera_option(service, given);
  if (text_option(given, "camera", "none") == "auto") use_learnt_camera(service, given, options);
  options.photo = whole_option(given, "photo", 0);
  const PixelBudget::Share share = share_for(service, upload);
  const Comparison result = service.studio.compare(upload.pictures[0], person, options);
  Plane difference = result.difference;  // grey where both are alike
  for (float& value : difference.values) value = 0.5F + 0.5F * value;
  return json_response({{"person", person},
                        {"size", to_string(result.probe.size)},
                        {"photo", shown_plane(result.photo)},
                        {"relit", shown_plane(result.relit)},
                        {"through", shown_plane(result.through)},
                        {"probe", shown_plane(result.probe)},
                        {"difference", shown_plane(difference)},
                        {"azimuth", result.azimuth},
                        {"elevation", result.elevation}});
}

}  // namespace

void add_identify_routes(Router& router, Service& service) {
  const auto add = [&](const char* path, Response (*run)(Service&, const Request&)) {
    router.add(
        {"POST", path, Role::kReader, [&service, run](const Request& request, const Parameters&) {
           return run(service, request);
         }});
  };
  add("/v1/identify", identify);
  add("/v1/verify", verify);
  add("/v1/compare", compare);
}

}  // namespace longshot::server
