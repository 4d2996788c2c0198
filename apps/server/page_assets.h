// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// The page of apps/web, compiled in.
namespace longshot::server::assets {

std::string_view page_html();
std::string_view page_css();
std::string_view page_js();

}  // namespace longshot::server::assets
