// SPDX-License-Identifier: Apache-2.0
#include "tokens.h"

#include <array>
#include <fstream>
#include <new>
#include <optional>

#include <openssl/crypto.h>
#include <sys/stat.h>

#include "longshot/picture.h"

#include "text.h"

namespace longshot::server {
namespace {

constexpr std::size_t kLongestName = 255;  // bytes, of the audit log
constexpr std::array kRoles = {Role::kReader, Role::kOperator, Role::kAdmin};

std::optional<Role> role_named(std::string_view name) {
  for (const Role role : kRoles) {
    if (name == name_of(role)) return role;
  }
  return std::nullopt;
}

}  // namespace

const char* name_of(Role role) {
  switch (role) {
    case Role::kReader:
      return "reader";
    case Role::kOperator:
      return "operator";
    case Role::kAdmin:
      return "admin";
    case Role::kNobody:
      break;
  }
  return "nobody";
}

void Tokens::create_if_missing(const std::filesystem::path& file) {
  if (std::filesystem::exists(file)) return;
  std::string text;
  for (const Role role : kRoles)
    text += std::string(name_of(role)) + " " + random_hexadecimal(32) + "\n";
  write_file(file, text);
}

Tokens Tokens::read(const std::filesystem::path& file) {
  struct stat status {};
  std::ifstream stream(file);
  if (!stream || ::stat(file.c_str(), &status) != 0) {
    throw Error(ErrorKind::not_found, "Cannot read the tokens in " + file.string() + ".");
  }
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    throw Error(ErrorKind::bad_input, file.string() +
                                          " can be read by others, so its tokens are no secret: "
                                          "chmod 600 it, or delete it to get new ones.");
  }
  Tokens tokens;
  for (std::string line; std::getline(stream, line);) {
    if (trimmed(line).empty()) continue;
    const std::size_t space = line.find(' ');
    const std::optional<Role> role = role_named(line.substr(0, space));
    std::string_view token =
        space == std::string::npos ? "" : trimmed(std::string_view(line).substr(space));
    const std::size_t end = token.find(' ');
    const std::string_view name = end == std::string_view::npos
                                      ? std::string_view(line).substr(0, space)
                                      : trimmed(token.substr(end));
    token = token.substr(0, end);
    if (!role || token.size() < 16 || name.size() > kLongestName || !is_clean_text(name)) {
      throw Error(ErrorKind::bad_input, file.string() +
                                            ": every line must be reader, operator or admin, a "
                                            "token of at least 16 characters, and a name if any.");
    }
    tokens.tokens_.push_back({{*role, std::string(name)}, sha256(token)});
  }
  if (!tokens.needed()) {
    throw Error(ErrorKind::bad_input,
                file.string() + " holds no token: delete it to get new ones.");
  }
  return tokens;
}

Tokens::Holder Tokens::holder_of(std::string_view token) const {
  const std::string digest = sha256(token);
  const Token* found = nullptr;
  for (const Token& one : tokens_) {
    if (CRYPTO_memcmp(one.digest.data(), digest.data(), digest.size()) == 0) found = &one;
  }
  return found == nullptr ? Holder() : found->holder;
}

}  // namespace longshot::server
