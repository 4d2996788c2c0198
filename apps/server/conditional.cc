// SPDX-License-Identifier: Apache-2.0
#include "conditional.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "problem.h"
#include "text.h"

namespace longshot::server {
namespace {

struct Range {
  std::size_t first = 0;
  std::size_t last = 0;  // inclusive
};

// Digits alone.
std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Problem no_such_range(std::size_t size) {
  Problem problem(416, "no_range", fmt::format("There are only {} bytes.", size));
  problem.headers.emplace_back("Content-Range", fmt::format("bytes */{}", size));
  return problem;
}

// "bytes=2-5", "bytes=2-" or "bytes=-3"; nothing for what is to be ignored.
std::optional<Range> range_in(std::string_view header, std::size_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!header.starts_with(kUnit)) return std::nullopt;
  const std::string_view text = trimmed(header.substr(kUnit.size()));
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::optional<std::size_t> from = whole_number(text.substr(0, dash));
  const std::optional<std::size_t> to = whole_number(text.substr(dash + 1));
  if (dash == 0) {
    if (!to) return std::nullopt;
    if (*to == 0 || size == 0) throw no_such_range(size);
    return Range{size - std::min(*to, size), size - 1};
  }
  if (!from || (!to && dash + 1 < text.size()) || (to && *to < *from)) return std::nullopt;
  if (*from >= size) throw no_such_range(size);
  return Range{*from, std::min(to.value_or(size - 1), size - 1)};
}

// Which of its tags the client has; empty: none.
std::string known_tag(std::string_view header, const std::string& tag) {
  for (std::string_view one : split(header, ',')) {
    one = trimmed(one);
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == "*" || one == tag) return tag;
    if (one == packed_tag(tag)) return packed_tag(tag);
  }
  return {};
}

}  // namespace

std::string packed_tag(const std::string& tag) {
  return tag.substr(0, tag.size() - 1) + "-gzip\"";
}

Response conditional(const Request& request, Response response) {
  std::string tag = '"' + hexadecimal(sha256(response.body).substr(0, 8)) + '"';
  const std::string known = known_tag(request.header("if-none-match"), tag);
  if (!known.empty()) {
    response.status = 304;
    response.body.clear();
    tag = known;
  } else if (const std::string_view since = request.header("if-range");
             since.empty() || since == tag) {
    const std::size_t size = response.body.size();
    if (const auto range = range_in(request.header("range"), size)) {
      response.status = 206;
      response.body = response.body.substr(range->first, range->last - range->first + 1);
      response.headers.emplace_back("Content-Range",
                                    fmt::format("bytes {}-{}/{}", range->first, range->last, size));
    }
  }
  response.headers.emplace_back("ETag", std::move(tag));
  response.headers.emplace_back("Accept-Ranges", "bytes");
  return response;
}

}  // namespace longshot::server
