// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/mat_layout.h"

#include <array>
#include <cstring>
#include <fstream>

#include "longshot/core/error.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kHeaderBytes = 128;
constexpr std::uintmax_t kTagBytes = 8;
constexpr std::uintmax_t kMaxBytes = std::uintmax_t{4} << 30;
constexpr std::uint32_t kMatrix = 14;
constexpr std::uint32_t kCompressed = 15;

std::uint32_t read_word(const unsigned char* bytes, bool big_endian) {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word = word << 8 | bytes[big_endian ? i : 3 - i];
  return word;
}

// True if the numbers of the file are big-endian. Throws Error unless this is version 5 to 7.
bool check_header(const std::array<unsigned char, kHeaderBytes>& header, const fs::path& file) {
  // HDF5 keeps the text of the header and has its own signature at byte 512.
  const std::string_view text(reinterpret_cast<const char*>(header.data()), 19);
  const bool big_endian = header[126] == 'M' && header[127] == 'I';
  const bool little_endian = header[126] == 'I' && header[127] == 'M';
  const unsigned version = big_endian ? header[124] : header[125];
  if (text == "MATLAB 7.3 MAT-file" || (little_endian && version == 2)) {
    throw Error("{} is a MATLAB file of version 7.3: save it with save -v7.", file.string());
  }
  if ((!big_endian && !little_endian) || version != 1) {
    throw Error("{} is not a MATLAB file of version 5 to 7.", file.string());
  }
  return big_endian;
}

}  // namespace

std::uintmax_t check_mat_layout(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) throw Error("Cannot read {}: {}.", file.string(), error.message());
  if (size > kMaxBytes) throw Error("{} holds more than 4 GiB.", file.string());
  std::ifstream stream(file, std::ios::binary);
  std::array<unsigned char, kHeaderBytes> header{};
  if (!stream.read(reinterpret_cast<char*>(header.data()), kHeaderBytes)) {
    throw Error("{} is not a MATLAB file: it is shorter than the header of one.", file.string());
  }
  const bool big_endian = check_header(header, file);
  for (std::uintmax_t at = kHeaderBytes; at < size;) {
    std::array<unsigned char, kTagBytes> tag{};
    stream.seekg(static_cast<std::streamoff>(at));
    const bool complete =
        static_cast<bool>(stream.read(reinterpret_cast<char*>(tag.data()), kTagBytes));
    const std::uint32_t type = read_word(tag.data(), big_endian);
    const std::uintmax_t bytes = read_word(tag.data() + 4, big_endian);
    if (!complete || bytes > size - at - kTagBytes) {
      throw Error("{} is damaged: it ends in the middle of the variable at byte {}.", file.string(),
                  at);
    }
    if (type != kMatrix && type != kCompressed) {
      throw Error("{} is damaged: there is no variable at byte {}.", file.string(), at);
    }
    at += kTagBytes + bytes;
  }
  return size;
}

}  // namespace longshot
