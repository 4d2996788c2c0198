// SPDX-License-Identifier: Apache-2.0
#include "multipart.h"

#include <fmt/format.h>

#include "problem.h"
#include "text.h"

namespace longshot::server {
namespace {

// The value of name="..." or name=... behind semicolons of a header; empty if there is none.
std::string parameter(std::string_view header, std::string_view name) {
  std::size_t at = header.find(';');
  while (at != std::string_view::npos) {
    header.remove_prefix(at + 1);
    const std::size_t equals = header.find('=');
    if (equals == std::string_view::npos) return {};
    const bool found = lower_case(trimmed(header.substr(0, equals))) == name;
    std::string_view rest = trimmed(header.substr(equals + 1));
    std::string value;
    if (rest.starts_with('"')) {
      std::size_t i = 1;
      for (; i < rest.size() && rest[i] != '"'; ++i) {
        if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
        value += rest[i];
      }
      rest.remove_prefix(std::min(rest.size(), i + 1));
    } else {
      const std::size_t end = rest.find(';');
      value = trimmed(rest.substr(0, end));
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end);
    }
    if (found) return value;
    header = rest;
    at = header.find(';');
  }
  return {};
}

Part part_of(std::string_view head, std::string_view content) {
  Part part;
  part.content = content;
  for (std::string_view line : split(head, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t colon = line.find(':');
    if (lower_case(line.substr(0, colon)) != "content-disposition") continue;
    part.name = parameter(line, "name");
    part.filename = parameter(line, "filename");
  }
  if (!is_clean_text(part.name) || !is_clean_text(part.filename)) {
    throw bad_request("The name of a part of the form is not UTF-8.");
  }
  return part;
}

}  // namespace

std::vector<Part> parse_multipart(std::string_view body, std::string_view content_type,
                                  std::size_t limit) {
  const std::string boundary = "--" + parameter(content_type, "boundary");
  if (boundary.size() < 3 || boundary.size() > 72) {
    throw bad_request("The content type of the form names no boundary.");
  }
  const Problem cut_short = bad_request("The form is cut short, or its parts are not separated.");
  std::vector<Part> parts;
  if (!body.starts_with(boundary)) throw cut_short;
  body.remove_prefix(boundary.size());
  while (!body.starts_with("--")) {
    if (parts.size() >= limit) {
      throw Problem(413, "too_many_parts",
                    fmt::format("A form may have {} parts at the most.", limit));
    }
    if (!body.starts_with("\r\n")) throw cut_short;
    body.remove_prefix(2);
    const std::size_t head = body.find("\r\n\r\n");
    if (head == std::string_view::npos || head > 8 * 1024) throw cut_short;
    const std::size_t end = body.find("\r\n" + boundary, head + 2);
    if (end == std::string_view::npos) throw cut_short;
    const std::size_t begin = std::min(head + 4, end);
    parts.push_back(part_of(body.substr(0, head), body.substr(begin, end - begin)));
    body.remove_prefix(end + 2 + boundary.size());
  }
  return parts;
}

}  // namespace longshot::server
