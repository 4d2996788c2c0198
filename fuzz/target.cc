// SPDX-License-Identifier: Apache-2.0
#include "target.h"

#include <cstring>
#include <fstream>

#include <unistd.h>
#include <zlib.h>

namespace longshot::fuzz {
namespace {

// Made by the first who asks, and removed with the process.
class ScratchFolder {
 public:
  ScratchFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("longshot-fuzz-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

std::filesystem::path scratch_folder() {
  static const ScratchFolder folder;
  return folder.path();
}

std::filesystem::path file_of(std::string_view bytes, const std::string& name) {
  std::filesystem::path path = scratch_folder() / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

std::string with_checksum(std::string_view bytes, std::size_t magic_bytes) {
  std::string file(bytes);
  const std::size_t head = magic_bytes + sizeof(std::uint32_t) + sizeof(std::uint64_t);
  if (file.size() < head + sizeof(std::uint32_t)) return file;
  const std::uint64_t length = file.size() - head - sizeof(std::uint32_t);
  std::memcpy(&file[magic_bytes + sizeof(std::uint32_t)], &length, sizeof(length));
  const auto sum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(file.data()), head + length));
  std::memcpy(&file[head + length], &sum, sizeof(sum));
  return file;
}

}  // namespace longshot::fuzz
