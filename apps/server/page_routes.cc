// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "conditional.h"
#include "page_assets.h"
#include "routes.h"

namespace longshot::server {
namespace {

void add_asset(Router& router, const char* path, const char* type, std::string_view content) {
  const auto run = [=](const Request& request, const Parameters&) {
    return conditional(request, {200, type, std::string(content), {{"Cache-Control", "no-cache"}}});
  };
  router.add({"GET", path, Role::kNobody, run, true});
}

}  // namespace

void add_page_routes(Router& router) {
  add_asset(router, "/", "text/html; charset=utf-8", assets::page_html());
  add_asset(router, "/app.css", "text/css; charset=utf-8", assets::page_css());
  add_asset(router, "/app.js", "text/javascript; charset=utf-8", assets::page_js());
}

}  // namespace longshot::server
