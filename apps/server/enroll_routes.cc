// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "longshot/longshot.h"

#include "problem.h"
#include "routes.h"
#include "text.h"

namespace longshot::server {
namespace {

Json enrolled_document(const Enrolled& enrolled) {
  return {{"people", enrolled.people},
          {"photos", enrolled.photos},
          {"rejections", rejections_document(enrolled.rejections)},
          {"warnings", rejections_document(enrolled.warnings)}};
}

Json enroll(Service& service, const Upload& upload, const EnrollOptions& options,
            const Progress& progress) {
  const PixelBudget::Share share = share_for(service, upload);
  const Enrolled enrolled = service.writer.enroll(upload.pictures, options, progress);
  service.metrics.add("longshot_photos_enrolled_total", enrolled.photos);
  service.metrics.add("longshot_photos_rejected_total",
                      static_cast<std::int64_t>(enrolled.rejections.size()));
  return enrolled_document(enrolled);
}

// Whom a file shows where nothing says so: its folder, or itself.
std::string person_of(const std::filesystem::path& file) {
  const std::string folder = file.parent_path().filename().string();
  return folder.empty() || folder == ".." ? person_of_file(file) : folder;
}

EnrollOptions options_of(const Upload& upload) {
  check_options(upload.options, {"person", "force", "photos"});
  EnrollOptions options;
  options.person = text_option(upload.options, "person", "");
  options.force = flag_option(upload.options, "force", false);
  options.allow_none = true;
  return options;
}

// Many photos of many people: what can be enrolled is, the rest is named with its reason.
Response enroll_many(Service& service, const Request& request) {
  auto upload = std::make_shared<Upload>(read_upload(request, "photos", service.limits));
  const EnrollOptions options = options_of(*upload);
  for (Picture& picture : upload->pictures) {
    if (picture.person.empty()) picture.person = person_of(picture.name);
  }
  return now_or_later(
      service, request, "enroll",
      [&service, upload, options](const Progress& progress) {
        return enroll(service, *upload, options, progress);
      },
      200);
}

// 201 if something was enrolled: it is on the disk then.
Response enroll_person(Service& service, const Upload& upload, const EnrollOptions& options) {
  const Json document = enroll(service, upload, options, {});
  if (document["photos"] == 0) {
    throw Problem(422, "refused", document["rejections"].at(0)["reason"].get<std::string>());
  }
  Response response = json_response(document, 201);
  response.headers.emplace_back("Location", "/v1/people/" + percent_encoded(options.person));
  return response;
}

Response add_person(Service& service, const Request& request) {
  const Upload upload = read_upload(request, "photos", service.limits);
  const EnrollOptions options = options_of(upload);
  if (options.person.empty()) throw bad_request("The option \"person\" must say who it is.");
  const std::vector<Person> people = service.reader.people();
  if (std::ranges::find(people, options.person, &Person::name) != people.end()) {
    throw Problem(409, "already_there", "Somebody of that name is enrolled already.");
  }
  return enroll_person(service, upload, options);
}

Response add_photos(Service& service, const Request& request, const std::string& person) {
  service.reader.person(person);
  const Upload upload = read_upload(request, "photos", service.limits);
  EnrollOptions options = options_of(upload);
  options.person = person;
  return enroll_person(service, upload, options);
}

}  // namespace

PixelBudget::Share share_for(Service& service, const Upload& upload) {
  const std::size_t at_once =
      std::min(upload.pictures.size(), static_cast<std::size_t>(std::max(1, threads())));
  return {service.pixels, upload.pixels * at_once};
}

Json rejections_document(const std::vector<Rejection>& rejections) {
  Json list = Json::array();
  for (const Rejection& one : rejections) {
    list.push_back({{"path", one.name}, {"reason", one.reason}});
  }
  return list;
}

Response now_or_later(Service& service, const Request& request, const char* kind,
                      std::function<Json(const Progress&)> work, int status) {
  if (lower_case(request.header("prefer")).find("respond-async") == std::string::npos) {
    return json_response(work({}), status);
  }
  const auto as_asked = [actor = request.actor, work = std::move(work)](const Progress& progress) {
    Json result;
    as_actor(actor, [&] { result = work(progress); });
    return result;
  };
  const Json job = service.jobs.start(kind, as_asked);
  Response response = json_response(job, 202);
  response.headers.emplace_back("Location", "/v1/jobs/" + job["id"].get<std::string>());
  response.headers.emplace_back("Preference-Applied", "respond-async");
  return response;
}

void add_enroll_routes(Router& router, Service& service) {
  router.add(
      {"POST", "/v1/enroll", Role::kOperator,
       [&](const Request& request, const Parameters&) { return enroll_many(service, request); }});
  router.add(
      {"POST", "/v1/people", Role::kOperator,
       [&](const Request& request, const Parameters&) { return add_person(service, request); }});
  router.add({"POST", "/v1/people/{name}/photos", Role::kOperator,
              [&](const Request& request, const Parameters& names) {
                return add_photos(service, request, names[0]);
              }});
}

}  // namespace longshot::server
