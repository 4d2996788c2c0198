// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace longshot::server {

struct Part {
  std::string name;      // of the form field
  std::string filename;  // empty: it is none
  std::string_view content;
};

// The parts of multipart/form-data (RFC 7578), which point into `body`. Throws Problem for what is
// cut short, names that are no UTF-8, and more than `limit` parts.
std::vector<Part> parse_multipart(std::string_view body, std::string_view content_type,
                                  std::size_t limit);

}  // namespace longshot::server
