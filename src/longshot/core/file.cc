// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/file.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

std::string reason(int error_number) {
  return std::generic_category().message(error_number);
}

// Closes and removes the temporary file unless it was renamed to its place.
class Temporary {
 public:
  explicit Temporary(const fs::path& target) : target_(target) {
    static std::atomic<unsigned> counter{0};
    path_ = target;
    path_ += fmt::format(".{}-{}.tmp", ::getpid(), counter++);
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(errno);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void rename_into_place() {
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail(errno);
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail(errno);
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail(errno);
    path_.clear();
  }

 private:
  [[noreturn]] void fail(int error_number) const {
    throw Error(kind_of(error_number), "Cannot write {}: {}.", target_.string(),
                reason(error_number));
  }

  fs::path target_;
  fs::path path_;
  int descriptor_ = -1;
};

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
  if (path.filename().empty() || fs::is_directory(path)) {
    throw Error("Cannot write {}: a file name is needed, not a folder.", path.string());
  }
  // A device or pipe such as /dev/stdout cannot be replaced by renaming.
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    std::ofstream stream(path, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    stream.flush();
    if (!stream) throw Error(kind_of(errno), "Cannot write {}: {}.", path.string(), reason(errno));
    return;
  }
  Temporary temporary(path);
  temporary.write(bytes);
  temporary.rename_into_place();
}

}  // namespace longshot
