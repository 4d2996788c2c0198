// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <concepts>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "longshot/error.h"

namespace longshot {

// throw Error("{} is not a gallery.", path), or with a kind before the format. The public header
// only declares this, as fmt is nobody else's business.
template <typename... Args>
struct internal::ErrorFormat {
  template <std::convertible_to<std::string_view> Text>
  consteval ErrorFormat(const Text& text) : format(text) {}  // implicit, as fmt's own
  fmt::format_string<Args...> format;
};

template <typename... Args>
Error::Error(internal::ErrorFormat<std::type_identity_t<Args>...> format, Args&&... args)
    : Error(ErrorKind::bad_input, fmt::format(format.format, std::forward<Args>(args)...)) {}

template <typename... Args>
Error::Error(ErrorKind kind, internal::ErrorFormat<std::type_identity_t<Args>...> format,
             Args&&... args)
    : Error(kind, fmt::format(format.format, std::forward<Args>(args)...)) {}

// The kind of a failed call of the operating system.
inline ErrorKind kind_of(int error_number) {
  switch (error_number) {
    case ENOENT:
      return ErrorKind::not_found;
    case ENOSPC:
    case EDQUOT:
      return ErrorKind::no_space;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorKind::read_only;
    default:
      return ErrorKind::bad_input;
  }
}

// Thrown at a cancellation point (Progress::advance) after the user asked to stop. No Error, so
// that nobody takes it for a bad input; the public face turns it into one of kind cancelled.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("Stopped at the user's request.") {}
};

}  // namespace longshot
