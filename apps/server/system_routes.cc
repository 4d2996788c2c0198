// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "longshot/longshot.h"

#include "assets.h"
#include "conditional.h"
#include "routes.h"
#include "tokens.h"

namespace longshot::server {
namespace {

Response health(const Request&, const Parameters&) {
  return json_response({{"status", "ok"}});
}

Response openapi(const Request& request, const Parameters&) {
  return conditional(request, {200,
                               "application/json",
                               std::string(assets::openapi_json()),
                               {{"Cache-Control", "no-cache"}}});
}

Json limits_document(const Limits& limits) {
  return {{"header_bytes", limits.header_bytes},
          {"body_bytes", limits.body_bytes},
          {"pixels", limits.pixels},
          {"images", limits.probes},
          {"requests_per_second", limits.requests_per_second},
          {"idle_seconds", limits.idle_seconds},
          {"request_seconds", limits.request_seconds},
          {"connections", limits.connections}};
}

Response system_state(Service& service, const Request& request) {
  Json indexes = service.reader.indexes();
  return json_response({{"version", version()},
                        {"role", name_of(request.role)},
                        {"gallery", service.reader.path().filename().string()},
                        {"people", service.reader.person_count()},
                        {"photos", service.reader.photo_count()},
                        {"indexes", std::move(indexes)},
                        {"threads", threads()},
                        {"limits", limits_document(service.limits)}});
}

Response metrics(Service& service) {
  const Traffic traffic = service.traffic();
  const Batcher::Counts counts = service.batcher.counts();
  const std::chrono::duration<double> up = std::chrono::steady_clock::now() - service.started;
  return {
      200, "text/plain; version=0.0.4",
      service.metrics.text({{"longshot_connections", static_cast<double>(traffic.connections)},
                            {"longshot_requests_waiting", static_cast<double>(traffic.waiting)},
                            {"longshot_body_bytes", static_cast<double>(traffic.body_bytes)},
                            {"longshot_searches", static_cast<double>(counts.searches)},
                            {"longshot_probes_searched", static_cast<double>(counts.probes)},
                            {"longshot_people", static_cast<double>(service.reader.person_count())},
                            {"longshot_resident_bytes", resident_bytes()},
                            {"longshot_uptime_seconds", up.count()}})};
}

}  // namespace

void add_system_routes(Router& router, Service& service) {
  router.add({"GET", "/v1/health", Role::kNobody, health, true});
  router.add({"GET", "/v1/openapi.json", Role::kNobody, openapi, true});
  router.add({"GET", "/v1/system", Role::kReader, [&](const Request& request, const Parameters&) {
                return system_state(service, request);
              }});
  router.add({"GET", "/metrics", Role::kReader,
              [&](const Request&, const Parameters&) { return metrics(service); }});
}

}  // namespace longshot::server
