// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// Files that the build compiles in: longshot_embed() in cmake/Embed.cmake.
namespace longshot::assets {

std::string_view chart_js();     // Chart.js, as the system's package holds it
std::string_view report_html();  // with {{name}} where the others go
std::string_view report_css();
std::string_view report_js();
std::string_view report_charts_js();

}  // namespace longshot::assets
