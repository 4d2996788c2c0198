// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/new_path.h"

#include <atomic>
#include <cerrno>
#include <new>
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

[[noreturn]] void fail(const fs::path& path) {
  throw Error(kind_of(errno), "Cannot write {}: {}.", path.string(),
              std::generic_category().message(errno));
}

void sync_file(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) fail(path);
  const int failed = ::fsync(descriptor);
  ::close(descriptor);
  if (failed != 0) fail(path);
}

// Not every file system can.
void sync_folder(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

NewFile::NewFile(const fs::path& out, Place place) : out_(out), place_(place) {
  if (place == Place::kFree) {
    check_new(out);
    static std::atomic<unsigned> counter{0};
    path_ = beside(out, fmt::format(".{}-{}.tmp", ::getpid(), counter++));
  } else {
    path_ = beside(out, ".new");
  }
  for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
    all_.push_back(beside(path_, ending));
  }
  if (place == Place::kFree) return;
  remove();  // what a killed process left
  const int descriptor = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) fail(path_);
  ::close(descriptor);
}

NewFile::~NewFile() {
  remove();
}

void NewFile::remove() const {
  for (const fs::path& path : all_) ::unlink(path.c_str());
}

void NewFile::rename_into_place() const {
  if (place_ == Place::kFree) check_new(out_);
  sync_file(path_);
  if (::rename(path_.c_str(), out_.c_str()) != 0) fail(out_);
  sync_folder(folder_of(out_));
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
  if (path_.empty()) return;
  try {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  } catch (const std::bad_alloc&) {
    return;  // it stays, under its temporary name
  }
}

void NewFolder::rename_into_place() {
  fs::rename(path_, out_);
  path_.clear();
}

}  // namespace longshot
