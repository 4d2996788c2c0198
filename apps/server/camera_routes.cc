// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "conditional.h"
#include "problem.h"
#include "routes.h"
#include "text.h"

namespace longshot::server {
namespace {

Json measured(const Measured& figure) {
  return {{"value", figure.value}, {"deviation", figure.deviation}};
}

Json camera_document(const std::string& id, const Camera& camera) {
  const CameraFigures figures = camera.figures();
  return {{"id", id},
          {"size", to_string(camera.size())},
          {"crops", camera.crops()},
          {"learnt", camera.learnt()},
          {"figures",
           {{"operator", figures.op},
            {"right", measured(figures.right)},
            {"down", measured(figures.down)},
            {"wider", measured(figures.wider)},
            {"taller", measured(figures.taller)},
            {"blur", measured(figures.blur)},
            {"gamma", measured(figures.gamma)},
            {"black", figures.black},
            {"noise", figures.noise},
            {"mean_face", figures.mean_face},
            {"faces", figures.faces},
            {"days", figures.days}}}};
}

Response list_cameras(Service& service) {
  Json cameras = Json::array();
  for (const std::string& id : service.cameras.ids()) {
    cameras.push_back(camera_document(id, service.cameras.camera(id)));
  }
  return json_response({{"cameras", cameras}});
}

Response learn(Service& service, const Request& request) {
  auto upload = std::make_shared<Upload>(read_upload(request, "crops", service.limits));
  check_options(upload->options, {"crops", "id", "size"});
  const std::string id = text_option(upload->options, "id", "");
  service.cameras.check_id(id);
  CameraOptions options;
  options.size = size_option(upload->options, "size");
  return now_or_later(
      service, request, "camera",
      [&service, upload, id, options](const Progress& progress) {
        const PixelBudget::Share share = share_for(service, *upload);
        const CameraReport report =
            service.studio.learn_camera(upload->pictures, options, progress);
        service.cameras.add(id, report);
        Json document = camera_document(id, report.camera);
        document["other_sizes"] = report.other_sizes;
        document["rejections"] = rejections_document(report.rejections);
        return document;
      },
      201);
}

// The answers that rest on it, as far as the gallery keeps a log. An older camera of that name is
// another one.
Response answers_of(Service& service, const Request& request, const std::string& id) {
  const std::string since = service.cameras.learnt_at(id);
  const Json given(request.query);
  check_options(given, {"before", "limit"});
  AuditQuery query;
  query.camera = id;
  query.before = whole_option(given, "before", 0, kMostLines);
  query.limit = whole_option(given, "limit", query.limit);
  const bool logged = service.reader.audited();
  const AuditPage page = logged ? service.reader.audit(query) : AuditPage();
  Json answers = Json::array();
  for (const AuditEntry& entry : page.entries) {
    if (entry.time < since) continue;
    answers.push_back({{"line", entry.number},
                       {"time", entry.time},
                       {"act", entry.act},
                       {"images", entry.inputs.size()},
                       {"people", entry.people}});
  }
  const bool more = page.more && answers.size() == page.entries.size();
  return json_response({{"logged", logged}, {"answers", std::move(answers)}, {"more", more}});
}

}  // namespace

void add_camera_routes(Router& router, Service& service) {
  const std::string camera = "/v1/cameras/{id}";
  router.add({"GET", "/v1/cameras", Role::kReader,
              [&](const Request&, const Parameters&) { return list_cameras(service); }});
  router.add({"POST", "/v1/cameras", Role::kOperator,
              [&](const Request& request, const Parameters&) { return learn(service, request); }});
  router.add({"GET", camera, Role::kReader, [&](const Request&, const Parameters& names) {
                return json_response(camera_document(names[0], service.cameras.camera(names[0])));
              }});
  router.add({"DELETE", camera, Role::kOperator, [&](const Request&, const Parameters& names) {
                service.cameras.remove(names[0]);
                return Response{204, ""};
              }});
  router.add({"GET", camera + "/answers", Role::kReader,
              [&](const Request& request, const Parameters& names) {
                return answers_of(service, request, names[0]);
              }});
  router.add({"GET", camera + "/sheet", Role::kReader,
              [&](const Request& request, const Parameters& names) {
                return conditional(request, {200,
                                             "image/png",
                                             service.cameras.sheet(names[0]),
                                             {{"Cache-Control", "private, no-cache"}}});
              }});
}

}  // namespace longshot::server
