// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include "problem.h"

namespace longshot::server {

std::string text_of(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Response json_response(const Json& document, int status) {
  return {status, "application/json", text_of(document)};
}

Json parsed_json(std::string_view text) {
  constexpr int kDeepest = 32;
  constexpr int kMostValues = 100'000;  // each takes many times its bytes
  bool too_deep = false;
  int values = 0;
  const auto look = [&](int depth, Json::parse_event_t event, Json&) {
    if (depth >= kDeepest &&
        (event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start)) {
      too_deep = true;
    }
    if (++values > kMostValues) throw bad_request("The JSON of the request holds too many values.");
    return !too_deep;
  };
  Json document = Json::parse(text, look, false);
  if (too_deep) throw bad_request("The JSON of the request is nested too deeply.");
  if (document.is_discarded()) throw bad_request("The request does not hold well-formed JSON.");
  return document;
}

}  // namespace longshot::server
