// SPDX-License-Identifier: Apache-2.0
#include "multipart.h"

#include "../target.h"
#include "problem.h"

namespace longshot::fuzz {
namespace {

// The content type, a line end, and the body.
void read_any_form(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos) return;
  try {
    const std::string_view body = bytes.substr(end + 1);
    for (const server::Part& part : server::parse_multipart(body, bytes.substr(0, end), 64)) {
      const bool inside = part.content.empty() ||
                          (part.content.data() >= body.data() &&
                           part.content.data() + part.content.size() <= body.data() + body.size());
      if (!inside) std::terminate();
    }
  } catch (const server::Problem& problem) {
    if (problem.detail.empty()) std::terminate();
  }
}

const Registered multipart("multipart", read_any_form);

}  // namespace
}  // namespace longshot::fuzz
