// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/mat_layout.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include <zlib.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeaderBytes = 128;
constexpr std::size_t kTagBytes = 8;
constexpr std::uintmax_t kMostMatBytes = std::uintmax_t{4} << 30;
constexpr std::size_t kStartBytes = 4096;  // enough for flags, dimensions, name and the next tag
enum Type : std::uint32_t { kInt8 = 1, kInt32 = 5, kUint32 = 6, kMatrix = 14, kCompressed = 15 };
// Bytes of one value, by type; 0 for what is no number.
constexpr std::array<std::size_t, 14> kValueBytes = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};

struct Tag {
  std::uint32_t type = 0;
  std::uintmax_t bytes = 0;
  std::uintmax_t data = 0;  // where its data begin
  std::uintmax_t next = 0;  // where the next element begins
};

// An element of type kMatrix, unpacked, with its tag.
struct Element {
  std::string start;         // its first kStartBytes
  std::uintmax_t bytes = 0;  // all of it
  bool big_endian = false;

  std::uint32_t word(std::uintmax_t at) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      value = value << 8 | static_cast<unsigned char>(start[at + (big_endian ? i : 3 - i)]);
    }
    return value;
  }

  std::optional<Tag> tag(std::uintmax_t at) const {
    if (at + kTagBytes > start.size()) return std::nullopt;
    const std::uint32_t first = word(at);
    Tag tag;
    if (first >> 16 != 0) {  // up to four bytes of data are in the tag itself
      tag = {first & 0xFFFF, first >> 16, at + 4, at + kTagBytes};
      if (tag.bytes > 4) return std::nullopt;
    } else {
      const std::uintmax_t size = word(at + 4);
      tag = {first, size, at + kTagBytes, at + kTagBytes + (size + 7) / 8 * 8};
    }
    return tag.data + tag.bytes <= bytes ? std::optional(tag) : std::nullopt;
  }
};

// False only for a numeric array whose parts do not fit together.
bool is_consistent(const Element& element) {
  const std::optional<Tag> whole = element.tag(0);
  if (!whole || whole->type != kMatrix) return false;
  const std::optional<Tag> flags = element.tag(whole->data);
  if (!flags || flags->type != kUint32 || flags->bytes != 8) return false;
  const std::uint32_t matlab_class = element.word(flags->data) & 0xFF;
  if (matlab_class < 6 || matlab_class > 15) return true;  // mxDOUBLE_CLASS .. mxUINT64_CLASS
  const std::optional<Tag> dimensions = element.tag(flags->next);
  if (!dimensions || dimensions->type != kInt32 || dimensions->bytes % 4 != 0 ||
      dimensions->data + dimensions->bytes > element.start.size()) {
    return false;
  }
  double values = 1.0;
  for (std::uintmax_t i = 0; i < dimensions->bytes; i += 4) {
    values *= element.word(dimensions->data + i);
  }
  const std::optional<Tag> name = element.tag(dimensions->next);
  if (!name || name->type != kInt8) return false;
  if (values == 0.0) return true;
  const std::optional<Tag> data = element.tag(name->next);
  if (!data || data->type >= kValueBytes.size() || kValueBytes[data->type] == 0) return false;
  return values * static_cast<double>(kValueBytes[data->type]) <= static_cast<double>(data->bytes);
}

Element plain_element(std::istream& stream, std::uintmax_t bytes) {
  Element element;
  element.bytes = bytes;
  element.start.resize(std::min<std::uintmax_t>(bytes, kStartBytes));
  stream.read(element.start.data(), static_cast<std::streamsize>(element.start.size()));
  return element;
}

// Nothing if the data do not unpack to the end with the right checksum.
std::optional<Element> unpacked_element(std::istream& stream, std::uintmax_t packed_bytes) {
  z_stream zip{};
  if (inflateInit(&zip) != Z_OK) return std::nullopt;
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&zip, inflateEnd);
  Element element;
  std::array<char, 1 << 16> in;
  std::array<char, 1 << 16> out;
  for (int state = Z_OK; state != Z_STREAM_END;) {
    if (zip.avail_in == 0) {
      const std::uintmax_t piece = std::min<std::uintmax_t>(packed_bytes, in.size());
      if (piece == 0 || !stream.read(in.data(), static_cast<std::streamsize>(piece))) {
        return std::nullopt;
      }
      packed_bytes -= piece;
      zip.next_in = reinterpret_cast<Bytef*>(in.data());
      zip.avail_in = static_cast<uInt>(piece);
    }
    zip.next_out = reinterpret_cast<Bytef*>(out.data());
    zip.avail_out = static_cast<uInt>(out.size());
    state = inflate(&zip, Z_NO_FLUSH);
    if (state != Z_OK && state != Z_STREAM_END) return std::nullopt;
    const std::size_t got = out.size() - zip.avail_out;
    element.bytes += got;
    element.start.append(out.data(), std::min(got, kStartBytes - element.start.size()));
    if (element.bytes > kMostMatBytes + kTagBytes) return std::nullopt;
  }
  return element;
}

// True if the numbers of the file are big-endian. Throws Error unless this is version 5 to 7.
bool check_header(const std::string& header, const fs::path& file) {
  const bool big_endian = header.ends_with("MI");
  const bool little_endian = header.ends_with("IM");
  const char version = big_endian ? header[124] : header[125];
  if (header.starts_with("MATLAB 7.3 MAT-file") || (little_endian && version == 2)) {
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
  if (size > kMostMatBytes) throw Error("{} holds more than 4 GiB.", file.string());
  std::ifstream stream(file, std::ios::binary);
  std::string header(kHeaderBytes, '\0');
  if (!stream.read(header.data(), kHeaderBytes)) {
    throw Error("{} is not a MATLAB file: it is shorter than the header of one.", file.string());
  }
  const bool big_endian = check_header(header, file);
  for (std::uintmax_t at = kHeaderBytes; at < size;) {
    stream.seekg(static_cast<std::streamoff>(at));
    Element tag = plain_element(stream, std::min<std::uintmax_t>(size - at, kTagBytes));
    tag.big_endian = big_endian;
    const bool complete = stream && tag.start.size() == kTagBytes;
    const std::uint32_t type = complete ? tag.word(0) : 0;
    const std::uintmax_t bytes = complete ? tag.word(4) : 0;
    if (!complete || bytes > size - at - kTagBytes) {
      throw Error("{} is damaged: it ends in the middle of the variable at byte {}.", file.string(),
                  at);
    }
    std::optional<Element> element;
    if (type == kMatrix) {
      stream.seekg(static_cast<std::streamoff>(at));
      element = plain_element(stream, bytes + kTagBytes);
    } else if (type == kCompressed) {
      element = unpacked_element(stream, bytes);
    }
    if (element) element->big_endian = big_endian;
    if (!element || !is_consistent(*element)) {
      throw Error("{} is damaged: the variable at byte {} cannot be read.", file.string(), at);
    }
    at += kTagBytes + bytes;
  }
  return size;
}

}  // namespace longshot
