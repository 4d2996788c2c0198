// SPDX-License-Identifier: Apache-2.0
#include "router.h"

#include <optional>

#include "problem.h"
#include "text.h"

namespace longshot::server {
namespace {

// Whether the path has that form, and what stands for its names.
std::optional<Parameters> fit(std::string_view pattern, std::string_view path) {
  const std::vector<std::string_view> wanted = split(pattern, '/');
  const std::vector<std::string_view> given = split(path, '/');
  if (wanted.size() != given.size()) return std::nullopt;
  Parameters parameters;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i].starts_with('{')) {
      if (wanted[i] != given[i]) return std::nullopt;
      continue;
    }
    std::optional<std::string> value = percent_decoded(given[i]);
    if (!value) throw bad_request("The path is not UTF-8 in percent encoding.");
    if (value->empty()) return std::nullopt;
    parameters.push_back(*std::move(value));
  }
  return parameters;
}

}  // namespace

Router::Match Router::match(std::string_view method, std::string_view path) const {
  std::string allowed;
  for (const Route& route : routes_) {
    std::optional<Parameters> parameters = fit(route.pattern, path);
    if (!parameters) continue;
    if (route.method == method || (route.method == "GET" && method == "HEAD")) {
      return {&route, *std::move(parameters)};
    }
    allowed += (allowed.empty() ? "" : ", ") + route.method;
  }
  if (allowed.empty()) throw Problem(404, "no_route", "There is nothing at this path.");
  Problem problem(405, "no_method", "This path allows " + allowed + ".");
  problem.headers.emplace_back("Allow", allowed);
  throw problem;
}

}  // namespace longshot::server
