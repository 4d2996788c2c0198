// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>

#include "conditional.h"
#include "problem.h"
#include "routes.h"
#include "text.h"

namespace longshot::server {
namespace {

Response list_people(Service& service, const Request& request) {
  const auto query = [&](const char* name) {
    const auto found = request.query.find(name);
    return found == request.query.end() ? std::string() : found->second;
  };
  std::vector<Person> people = service.reader.people();
  const std::string wanted = lower_case(query("search"));
  if (!wanted.empty()) {
    std::erase_if(people, [&](const Person& person) {
      return lower_case(person.name).find(wanted) == std::string::npos;
    });
  }
  const Json options(request.query);
  const auto total = static_cast<std::ptrdiff_t>(people.size());
  const double offset = number_option(options, "offset", 0.0);
  const double limit = number_option(options, "limit", static_cast<double>(total));
  if (offset < 0.0 || limit < 0.0) throw bad_request("offset and limit must not be negative.");
  const auto first = std::min(total, static_cast<std::ptrdiff_t>(std::min(offset, 1e15)));
  const auto count = std::min(total - first, static_cast<std::ptrdiff_t>(std::min(limit, 1e15)));
  const std::vector<Person> page(people.begin() + first, people.begin() + first + count);
  Json document = Json::parse(to_json(page));
  document["total"] = total;
  return json_response(document);
}

Json person_document(Service& service, const std::string& name) {
  return Json::parse(to_json(service.reader.person(name), service.reader.photos(name)));
}

Response rename(Service& service, const Request& request, const std::string& name) {
  const Json body = parsed_json(request.body);
  if (!body.is_object()) throw bad_request("The body must be an object with the new name.");
  check_options(body, {"name"});
  const std::string new_name = text_option(body, "name", "");
  if (new_name.empty()) throw bad_request("The body must give the new name.");
  service.writer.rename(name, new_name);
  return json_response(person_document(service, new_name));
}

// What was erased, when, from where, and whether the log still holds bytes of it.
Json receipt(Service& service, const std::string& name, const Json& photos) {
  return {{"person", name},
          {"photos", photos},
          {"erased_at", utc_now()},
          {"gallery", service.writer.path().filename().string()},
          {"indexes", service.writer.indexes()},
          {"log_holds_bytes", service.writer.erasure_pending()}};
}

Response erase(Service& service, const std::string& name) {
  Json photos = Json::array();
  for (const Photo& photo : service.writer.photos(name)) photos.push_back(photo.id);
  service.writer.remove(name);
  service.reports.forget(name);
  service.metrics.add("longshot_people_erased_total");
  return json_response(receipt(service, name, photos));
}

Response erase_photo(Service& service, const std::string& name, std::int64_t id) {
  service.writer.remove_photo(name, id);
  return json_response(receipt(service, name, Json::array({id})));
}

Response show_photo(Service& service, const Request& request, const std::string& name,
                    std::int64_t id) {
  return conditional(request, {200,
                               "image/png",
                               encode_plane(service.reader.face(name, id)),
                               {{"Cache-Control", "private, no-cache"}}});
}

}  // namespace

std::int64_t photo_id(const std::string& text) {
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error == std::errc() && end == text.data() + text.size() && id > 0) return id;
  throw Problem(404, "not_found", "There is no photo of that id.");
}

void add_people_routes(Router& router, Service& service) {
  const std::string person = "/v1/people/{name}";
  const std::string photo = person + "/photos/{id}";
  router.add({"GET", "/v1/people", Role::kReader, [&](const Request& request, const Parameters&) {
                return list_people(service, request);
              }});
  router.add({"GET", person, Role::kReader, [&](const Request&, const Parameters& names) {
                return json_response(person_document(service, names[0]));
              }});
  router.add(
      {"PATCH", person, Role::kOperator, [&](const Request& request, const Parameters& names) {
         return rename(service, request, names[0]);
       }});
  router.add({"DELETE", person, Role::kAdmin,
              [&](const Request&, const Parameters& names) { return erase(service, names[0]); }});
  router.add({"GET", photo, Role::kReader, [&](const Request& request, const Parameters& names) {
                return show_photo(service, request, names[0], photo_id(names[1]));
              }});
  router.add({"DELETE", photo, Role::kAdmin, [&](const Request&, const Parameters& names) {
                return erase_photo(service, names[0], photo_id(names[1]));
              }});
}

}  // namespace longshot::server
