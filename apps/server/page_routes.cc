// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "page_assets.h"
#include "routes.h"
#include "text.h"

namespace longshot::server {
namespace {

void add_asset(Router& router, const char* path, const char* type, std::string_view content) {
  const std::string tag = '"' + hexadecimal(sha256(content).substr(0, 8)) + '"';
  const auto run = [=](const Request& request, const Parameters&) {
    Response response{200, type, std::string(content)};
    response.headers = {{"ETag", tag}, {"Cache-Control", "no-cache"}};
    if (request.header("if-none-match") == tag) {
      response.status = 304;
      response.body.clear();
    }
    return response;
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
