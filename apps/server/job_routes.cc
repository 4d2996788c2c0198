// SPDX-License-Identifier: Apache-2.0
#include "problem.h"
#include "routes.h"

namespace longshot::server {
namespace {

// Learns and indexes what questions at a size need, before they are asked.
Response prepare(Service& service, const Request& request) {
  const Json body = parsed_json(request.body);
  if (!body.is_object()) throw bad_request("The body must be an object.");
  check_options(body, {"kind", "size", "method"});
  if (text_option(body, "kind", "") != "prepare") {
    throw bad_request("The kind of a job that is asked for here must be prepare.");
  }
  const std::optional<Size> size = size_option(body, "size");
  if (!size) throw bad_request("The option \"size\" must say for which size.");
  const std::string method = text_option(body, "method", IdentifyOptions().method);
  const Json job = service.jobs.start("prepare", [=, &service](const Progress& progress) {
    service.asker.prepare(*size, method, progress);
    return Json{{"size", to_string(*size)}, {"method", method}};
  });
  Response response = json_response(job, 202);
  response.headers.emplace_back("Location", "/v1/jobs/" + job["id"].get<std::string>());
  return response;
}

}  // namespace

void add_job_routes(Router& router, Service& service) {
  const std::string job = "/v1/jobs/{id}";
  router.add({"POST", "/v1/jobs", Role::kOperator, [&](const Request& request, const Parameters&) {
                return prepare(service, request);
              }});
  router.add({"GET", job, Role::kOperator, [&](const Request&, const Parameters& names) {
                return json_response(service.jobs.document(names[0]));
              }});
  router.add({"DELETE", job, Role::kOperator, [&](const Request&, const Parameters& names) {
                return json_response(service.jobs.cancel(names[0]));
              }});
  router.add(
      {"GET", job + "/events", Role::kOperator, [&](const Request&, const Parameters& names) {
         Response response{200, "text/event-stream"};
         response.stream = service.jobs.events(names[0]);
         return response;
       }});
}

}  // namespace longshot::server
