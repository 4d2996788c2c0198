// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/new_path.h"

#include <atomic>
#include <cerrno>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "longshot/core/error.h"
#include "longshot/gallery/folder_lock.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

fs::path beside(const fs::path& path, std::string_view ending) {
  fs::path other = path;
  other += ending;
  return other;
}

void check_new(const fs::path& out) {
  std::error_code error;
  for (const char* ending : {"", "-wal", "-journal"}) {
    const fs::path there = beside(out, ending);
    if (fs::exists(fs::symlink_status(there, error))) {
      throw Error(ErrorKind::already_there, "Cannot write {}: there is {} already.", out.string(),
                  there.string());
    }
  }
}

}  // namespace

NewFile::NewFile(const fs::path& out) : out_(out) {
  check_new(out);
  static std::atomic<unsigned> counter{0};
  path_ = beside(out, fmt::format(".{}-{}.tmp", ::getpid(), counter++));
}

NewFile::~NewFile() {
  for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
    ::unlink(beside(path_, ending).c_str());
  }
}

void NewFile::rename_into_place() const {
  check_new(out_);
  if (::rename(path_.c_str(), out_.c_str()) != 0) {
    throw Error(kind_of(errno), "Cannot write {}: {}.", out_.string(),
                std::generic_category().message(errno));
  }
  const int folder = ::open(folder_of(out_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

NewFolder::NewFolder(const fs::path& out) : out_(out), path_(out) {
  path_ += fmt::format(".{}.tmp", ::getpid());
  std::error_code error;
  if (fs::exists(fs::symlink_status(out, error))) {
    throw Error(ErrorKind::already_there, "Cannot write {}: it is there already.", out.string());
  }
  fs::create_directory(path_);
  fs::permissions(path_, fs::perms::owner_all);
}

NewFolder::~NewFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

void NewFolder::rename_into_place() {
  fs::rename(path_, out_);
  path_.clear();
}

}  // namespace longshot
