// SPDX-License-Identifier: Apache-2.0
#include "routes.h"

namespace longshot::server {
namespace {

AuditQuery query_of(const Request& request) {
  const Json given(request.query);
  check_options(given, {"after", "before", "actor", "act", "person", "camera", "limit"});
  AuditQuery query;
  query.after = whole_option(given, "after", 0, kMostLines);
  query.before = whole_option(given, "before", 0, kMostLines);
  query.actor = text_option(given, "actor", "");
  query.act = text_option(given, "act", "");
  query.person = text_option(given, "person", "");
  query.camera = text_option(given, "camera", "");
  query.limit = whole_option(given, "limit", query.limit);
  return query;
}

Response lines(Service& service, const Request& request) {
  return {200, "application/json", to_json(service.reader.audit(query_of(request)))};
}

// Reads all of it.
Response verdict(Service& service) {
  return {200, "application/json", to_json(service.reader.verify_audit())};
}

}  // namespace

void as_actor(const std::string& actor, const std::function<void()>& work) {
  if (actor.empty()) return work();
  run_as(actor, work);
}

void add_audit_routes(Router& router, Service& service) {
  router.add({"GET", "/v1/audit", Role::kAdmin,
              [&](const Request& request, const Parameters&) { return lines(service, request); }});
  router.add({"GET", "/v1/audit/verdict", Role::kAdmin,
              [&](const Request&, const Parameters&) { return verdict(service); }});
}

}  // namespace longshot::server
