// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace longshot {

// While it lives, no other process (nor another one of this process) holds it for the same folder:
// who makes a file there, or takes one away, does so alone. Any number may hold it together, as
// long as nobody holds it alone. It leaves nothing behind, also when the process is killed.
class FolderLock {
 public:
  enum class Mode { kAlone, kTogether };

  // Waits for others; throws Error if that lasts longer than wait_ms.
  FolderLock(const std::filesystem::path& folder, int wait_ms, Mode mode = Mode::kAlone);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // False where folders cannot be locked: no right to list it, or a file system without locks.
  bool held() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

// The folder of a file: "." for a name alone.
std::filesystem::path folder_of(const std::filesystem::path& file);

}  // namespace longshot
