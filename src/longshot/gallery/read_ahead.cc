// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/read_ahead.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

#include <fcntl.h>

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kAheadPiece = 256U << 10U;  // bytes; the system takes no more at a time

}  // namespace

int open_descriptor(const fs::path& path) {
  std::error_code error;
  for (fs::directory_iterator entry("/proc/self/fd", error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code other;
    if (!fs::equivalent(entry->path(), path, other) || other) continue;
    const std::string name = entry->path().filename();
    int descriptor = -1;
    std::from_chars(name.data(), name.data() + name.size(), descriptor);
    return descriptor;
  }
  return -1;
}

ReadAhead::ReadAhead(const fs::path& path) {
  const int descriptor = open_descriptor(path);
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  if (descriptor < 0 || error) return;
  thread_ = std::jthread([descriptor, bytes](const std::stop_token& stop) {
    for (std::uintmax_t at = 0; at < bytes && !stop.stop_requested(); at += kAheadPiece) {
      posix_fadvise(descriptor, static_cast<off_t>(at), static_cast<off_t>(kAheadPiece),
                    POSIX_FADV_WILLNEED);
    }
  });
}

}  // namespace longshot
