// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "http.h"
#include "rate_limit.h"
#include "router.h"
#include "service.h"
#include "tokens.h"

namespace longshot::server {

struct AccessRules {
  Tokens tokens;           // none: whoever reaches the address may do everything
  bool only_local = true;  // requests must be for an address of this machine
  std::string cors = {};   // the origin of another site that may ask, such as "https://a.example"
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

// Decides who may ask, finds the route and gives every answer its headers.
class Application final : public Handler {
 public:
  Application(Service& service, AccessRules rules);

  std::optional<Response> refuse(Request& head) override;
  bool at_once(const Request& head) const override;
  Response handle(const Request& request) override;
  Response refusal(int status, std::string_view code, std::string_view detail) const override;

  const Router& router() const { return router_; }

 private:
  void check_site(const Request& head) const;
  void check_token(Request& head, const Route& route);
  bool is_preflight(const Request& head) const;
  Response finished(Response response, const Request& request) const;

  Service& service_;
  AccessRules rules_;
  Router router_;
  RateLimit rate_;
  RateLimit failures_;  // wrong tokens of an address
};

}  // namespace longshot::server
