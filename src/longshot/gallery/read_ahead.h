// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <thread>

namespace longshot {

// Asks the system for a file from its beginning to its end while somebody reads here and there in
// it, so that the disk is never idle: a page at a time it would be waited for. Only a hint; what
// fails is not done. The file must stay open as long as this lives.
class ReadAhead {
 public:
  explicit ReadAhead(const std::filesystem::path& path);

 private:
  std::jthread thread_;
};

// A descriptor of this process that has the file open, or -1. Opening it once more would not do:
// closing that descriptor would release the locks that SQLite has on the file.
int open_descriptor(const std::filesystem::path& path);

}  // namespace longshot
