// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/file.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "longshot/core/error.h"
#include "longshot/core/private_file.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

std::string reason(int error_number) {
  return std::generic_category().message(error_number);
}

[[noreturn]] void fail_to_write(const fs::path& path, int error_number) {
  throw Error(kind_of(error_number), "Cannot write {}: {}.", path.string(), reason(error_number));
}

void write_all(int descriptor, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_write(path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Closes and removes the temporary file unless it was renamed to its place.
class Temporary {
 public:
  Temporary(const fs::path& target, mode_t mode) : target_(target) {
    static std::atomic<unsigned> counter{0};
    path_ = target;
    path_ += fmt::format(".{}-{}.tmp", ::getpid(), counter++);
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor_ < 0) fail_to_write(target_, errno);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  void write(std::string_view bytes) { write_all(descriptor_, bytes, target_); }

  void rename_into_place() {
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) {
      fail_to_write(target_, errno);
    }
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail_to_write(target_, errno);
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail_to_write(target_, errno);
    path_.clear();
  }

 private:
  fs::path target_;
  fs::path path_;
  int descriptor_ = -1;
};

// Standard output or error, if the path leads there; otherwise -1. Renaming would take the file
// away from whoever reads it there.
int standard_descriptor(const fs::path& path) {
  struct stat named {};
  if (::stat(path.c_str(), &named) != 0) return -1;
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat open {};
    if (::fstat(descriptor, &open) == 0 && open.st_dev == named.st_dev &&
        open.st_ino == named.st_ino) {
      return descriptor;
    }
  }
  return -1;
}

// Where a link leads, whether or not there is a file yet.
fs::path behind_links(fs::path path) {
  constexpr int kMostLinks = 40;  // as the kernel
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) fail_to_write(path, error.value());
    path = path.parent_path() / target;  // an absolute target replaces the folder
  }
  if (fs::is_symlink(fs::symlink_status(path, error))) fail_to_write(path, ELOOP);
  return path;
}

// Through a link the file that it names is written, and the link stays.
void write_with_mode(const fs::path& path, std::string_view bytes, mode_t mode) {
  std::error_code error;
  if (path.filename().empty() || fs::is_directory(path, error)) {
    throw Error("Cannot write {}: a file name is needed, not a folder.", path.string());
  }
  const fs::file_status status = fs::status(path, error);
  const int standard = standard_descriptor(path);
  if (standard >= 0) return write_all(standard, bytes, path);
  // A device or pipe cannot be replaced by renaming.
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    std::ofstream stream(path, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    stream.flush();
    if (!stream) fail_to_write(path, errno);
    return;
  }
  Temporary temporary(behind_links(path), mode);
  temporary.write(bytes);
  temporary.rename_into_place();
}

}  // namespace

std::string read_file(const fs::path& path, std::uintmax_t max_bytes) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw Error("Cannot read {}: it is a folder, a file is needed.", path.string());
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Error(kind_of(errno), "Cannot read {}: {}.", path.string(), reason(errno));
  std::string bytes;
  // In pieces instead of by size, so that pipes and /proc files work and the limit holds for them.
  std::string piece(std::size_t{1} << 16, '\0');
  while (stream.read(piece.data(), static_cast<std::streamsize>(piece.size())),
         stream.gcount() > 0) {
    bytes.append(piece, 0, static_cast<std::size_t>(stream.gcount()));
    if (bytes.size() > max_bytes) {
      throw Error("Cannot read {}: it holds more than the limit of {} bytes.", path.string(),
                  max_bytes);
    }
  }
  if (stream.bad()) throw Error("Cannot read {}: {}.", path.string(), reason(errno));
  return bytes;
}

void write_file(const fs::path& path, std::string_view bytes) {
  write_with_mode(path, bytes, 0666);
}

void write_private_file(const fs::path& path, std::string_view bytes) {
  write_with_mode(path, bytes, 0600);
}

}  // namespace longshot
