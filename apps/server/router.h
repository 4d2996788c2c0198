// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "http.h"

namespace longshot::server {

using Parameters = std::vector<std::string>;  // what stands for {name} in the pattern, decoded

struct Route {
  std::string method;
  std::string pattern;  // "/v1/people/{name}"
  Role role;            // at least
  std::function<Response(const Request&, const Parameters&)> run;
  bool at_once = false;  // takes no time, see Handler
};

class Router {
 public:
  struct Match {
    const Route* route = nullptr;
    Parameters parameters;
  };

  void add(Route route) { routes_.push_back(std::move(route)); }
  const std::vector<Route>& routes() const { return routes_; }
  // Throws Problem: 404 for an unknown path, 405 for a known one with another method. HEAD is GET.
  Match match(std::string_view method, std::string_view path) const;

 private:
  std::vector<Route> routes_;
};

}  // namespace longshot::server
