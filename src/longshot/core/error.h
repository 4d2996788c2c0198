// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace longshot {

// Bad input or a bad file. The message is one sentence that a user can act on; it names the file or
// field, what is wrong with it and, where that is not obvious, what to do.
class Error : public std::runtime_error {
 public:
  template <typename... Args>
  explicit Error(fmt::format_string<Args...> format, Args&&... args)
      : std::runtime_error(fmt::format(format, std::forward<Args>(args)...)) {}
};

// Thrown at a cancellation point (Progress::advance) after the user asked to stop.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("Stopped at the user's request.") {}
};

}  // namespace longshot
