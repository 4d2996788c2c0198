// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "http.h"

namespace longshot::server {

const char* name_of(Role role);

// Who may do what: lines "role token name" of a file that only its owner may read. The name, which
// the audit log shows, may be left out: then it is the role.
class Tokens {
 public:
  Tokens() = default;  // nobody needs one
  // Throws Error if others may read the file, or it is none of tokens.
  static Tokens read(const std::filesystem::path& file);
  // Writes a file with a new token for each role if there is none.
  static void create_if_missing(const std::filesystem::path& file);

  bool needed() const { return !tokens_.empty(); }
  struct Holder {
    Role role = Role::kNobody;
    std::string name = {};
  };
  // Nobody for a wrong token, for which it takes as long as for a right one.
  Holder holder_of(std::string_view token) const;

 private:
  struct Token {
    Holder holder;
    std::string digest;  // SHA-256, so that all have one length
  };
  std::vector<Token> tokens_;
};

}  // namespace longshot::server
