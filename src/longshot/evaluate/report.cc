// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/report.h"

#include <array>
#include <cassert>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "longshot/evaluate/report_assets.h"
#include "longshot/evaluate/report_data.h"

namespace longshot {
namespace {

std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

// In one pass, so that a value which itself looks like a place is left alone.
template <std::size_t count>
std::string fill(std::string_view page,
                 const std::array<std::pair<std::string_view, std::string_view>, count>& values) {
  std::string filled;
  while (true) {
    const std::size_t open = page.find("{{");
    filled += page.substr(0, open);
    if (open == std::string_view::npos) return filled;
    const std::size_t close = page.find("}}", open);
    assert(close != std::string_view::npos);
    const std::string_view name = page.substr(open + 2, close - open - 2);
    [[maybe_unused]] bool known = false;
    for (const auto& [place, value] : values) {
      if (place != name) continue;
      filled += value;
      known = true;
    }
    assert(known);
    page.remove_prefix(close + 2);
  }
}

}  // namespace

std::string html_report(const ReportInput& input) {
  const std::string data = report_data(input);
  const std::string title =
      escape_html(fmt::format("longshot: {} on {}", to_string(input.plan.kind), input.data_name));
  const std::array<std::pair<std::string_view, std::string_view>, 6> values = {{
      {"title", title},
      {"style", assets::report_css()},
      {"data", data},
      {"chart", assets::chart_js()},
      {"charts", assets::report_charts_js()},
      {"script", assets::report_js()},
  }};
  return fill(assets::report_html(), values);
}

}  // namespace longshot
