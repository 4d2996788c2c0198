// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "longshot/error.h"

#include "http.h"

namespace longshot::server {

// A request that is refused. `code` never changes its meaning; `detail` is a sentence for a person.
struct Problem : std::exception {
  Problem(int a_status, std::string a_code, std::string a_detail)
      : status(a_status), code(std::move(a_code)), detail(std::move(a_detail)) {}
  // What the library throws, by its kind.
  explicit Problem(const Error& error);

  const char* what() const noexcept override { return detail.c_str(); }

  int status;
  std::string code;
  std::string detail;
  std::vector<std::pair<std::string, std::string>> headers;
};

Problem bad_request(std::string detail);  // 400: not what the interface says

// The document of RFC 9457.
std::string problem_document(const Problem& problem);
Response problem_response(const Problem& problem);

}  // namespace longshot::server
