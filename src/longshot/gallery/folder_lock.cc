// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/folder_lock.h"

#include <cerrno>
#include <chrono>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "longshot/core/error.h"

namespace longshot {

FolderLock::FolderLock(const std::filesystem::path& folder, int wait_ms, Mode mode) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(wait_ms);
  const int kind = mode == Mode::kAlone ? LOCK_EX : LOCK_SH;
  descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  while (descriptor_ >= 0 && ::flock(descriptor_, kind | LOCK_NB) != 0) {
    const bool taken = errno == EWOULDBLOCK;
    if (taken && Clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      continue;
    }
    ::close(descriptor_);
    descriptor_ = -1;
    if (taken) {
      throw Error(ErrorKind::busy, "The folder {} is locked by another program; try again later.",
                  folder.string());
    }
  }
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  return folder.empty() ? "." : folder;
}

}  // namespace longshot
