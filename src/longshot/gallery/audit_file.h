// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace longshot {

// A file of lines to which one process at a time adds. Throws Error naming the file.
class AuditFile {
 public:
  enum class Access { kRead, kWrite };  // kWrite makes it, readable by its owner only

  AuditFile(std::filesystem::path path, Access access);
  ~AuditFile();
  AuditFile(const AuditFile&) = delete;
  AuditFile& operator=(const AuditFile&) = delete;

  std::int64_t size() const;
  // Puts the bytes where the first `at` end, in place of all that followed, and onto the disk.
  void write_end(std::int64_t at, std::string_view bytes) const;
  // At most `count` bytes from `at` on; fewer at the end.
  std::string read(std::int64_t at, std::size_t count) const;

 private:
  [[noreturn]] void fail(std::string_view what) const;

  std::filesystem::path path_;
  int descriptor_;
};

// The lines of a file, one after the other, without their ends.
class AuditLines {
 public:
  AuditLines(const AuditFile& file, std::int64_t begin) : file_(file), at_(begin) {}

  // Nothing at the end, and where a line has no end or is longer than any of ours.
  std::optional<std::string_view> next();
  std::int64_t position() const { return at_; }  // behind the last line that was given

 private:
  const AuditFile& file_;
  std::int64_t at_;
  std::size_t given_ = 0;  // bytes of the piece
  std::string piece_;
};

}  // namespace longshot
