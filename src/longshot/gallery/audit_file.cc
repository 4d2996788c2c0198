// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/audit_file.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "longshot/core/error.h"
#include "longshot/gallery/folder_lock.h"

namespace longshot {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 20U;
constexpr std::size_t kPieceBytes = std::size_t{1} << 16U;

void sync_folder_of(const std::filesystem::path& path) {
  const int folder = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

}  // namespace

AuditFile::AuditFile(std::filesystem::path path, Access access) : path_(std::move(path)) {
  const int flags = access == Access::kRead ? O_RDONLY : O_RDWR;
  descriptor_ = ::open(path_.c_str(), flags | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor_ < 0 && errno == ENOENT && access == Access::kWrite) {
    descriptor_ = ::open(path_.c_str(), flags | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor_ >= 0) sync_folder_of(path_);
  }
  if (descriptor_ < 0) fail("Cannot open");
}

AuditFile::~AuditFile() {
  ::close(descriptor_);
}

void AuditFile::fail(std::string_view what) const {
  throw Error(kind_of(errno), "{} {}: {}.", what, path_.string(),
              std::generic_category().message(errno));
}

std::int64_t AuditFile::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail("Cannot read");
  return status.st_size;
}

void AuditFile::write_end(std::int64_t at, std::string_view bytes) const {
  if (::ftruncate(descriptor_, at) != 0) fail("Cannot write");
  while (!bytes.empty()) {
    const ssize_t done = ::pwrite(descriptor_, bytes.data(), bytes.size(), at);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("Cannot write");
    at += done;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  if (::fdatasync(descriptor_) != 0) fail("Cannot write");
}

std::string AuditFile::read(std::int64_t at, std::size_t count) const {
  std::string bytes(count, '\0');
  std::size_t size = 0;
  while (size < count) {
    const ssize_t got = ::pread(descriptor_, bytes.data() + size, count - size,
                                at + static_cast<std::int64_t>(size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("Cannot read");
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

std::optional<std::string_view> AuditLines::next() {
  std::size_t looked = given_;
  for (;;) {
    const std::size_t end = piece_.find('\n', looked);
    if (end != std::string::npos) {
      const std::string_view line = std::string_view(piece_).substr(given_, end - given_);
      at_ += static_cast<std::int64_t>(line.size()) + 1;
      given_ = end + 1;
      return line;
    }
    piece_.erase(0, std::exchange(given_, 0));
    if (piece_.size() > kLongestLine) return std::nullopt;
    looked = piece_.size();
    const std::string more =
        file_.read(at_ + static_cast<std::int64_t>(piece_.size()), kPieceBytes);
    if (more.empty()) return std::nullopt;
    piece_ += more;
  }
}

}  // namespace longshot
