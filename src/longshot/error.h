// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

#include "longshot/export.h"

namespace longshot {

// What went wrong, for a program; the sentence of the error is for its user.
enum class ErrorKind {
  bad_input,      // an argument, option, image or file that cannot be used
  not_found,      // no such file, person or photo
  already_there,  // the name or file is taken
  damaged,        // a file of ours that is not whole: restore it from a copy
  busy,           // another program keeps writing: try again later
  read_only,      // write-protected, or opened for reading
  no_space,       // the disk is full
  cancelled,      // the progress callback asked to stop
  unsupported     // written by a newer version, or not built into this one
};

namespace internal {
template <typename... Args>
struct ErrorFormat;  // known to the library's own files: core/error.h
}

// The one exception of the library. The message is one sentence that a user can act on; it names
// the file or field, what is wrong with it and, where that is not obvious, what to do.
class LONGSHOT_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}

  ErrorKind kind() const { return kind_; }

  // For the library itself: formats the sentence; the kind is bad_input if none is given.
  template <typename... Args>
  explicit Error(internal::ErrorFormat<std::type_identity_t<Args>...> format, Args&&... args);
  template <typename... Args>
  Error(ErrorKind kind, internal::ErrorFormat<std::type_identity_t<Args>...> format,
        Args&&... args);

 private:
  ErrorKind kind_;
};

}  // namespace longshot
