// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/clip_writer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <system_error>

#include "longshot/clip/clip_messages.h"
#include "longshot/core/error.h"

namespace longshot {
namespace {

char byte_of(double value) {
  const double level = std::clamp(255.0 * value + 0.5, 0.0, 255.0);
  return static_cast<char>(static_cast<unsigned char>(level));
}

// The encoder says nothing about a full disk; but what it wrote then does not end where its RIFF
// chunks say.
bool is_whole_avi(const std::filesystem::path& path) {
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  if (failed || size == 0) return false;
  std::ifstream file(path, std::ios::binary);
  std::uintmax_t end = 0;
  while (end < size) {
    std::uint8_t head[8] = {};
    file.seekg(static_cast<std::streamoff>(end));
    file.read(reinterpret_cast<char*>(head), sizeof(head));
    if (!file || std::memcmp(head, "RIFF", 4) != 0) return false;
    std::uintmax_t length = 0;
    for (int k = 3; k >= 0; --k) length = 256 * length + head[4 + k];
    end += sizeof(head) + length + length % 2;
  }
  return end == size;
}

}  // namespace

void ClipWriteOptions::check() const {
  if (!(rate >= 0.1 && rate <= 1000.0)) {
    throw Error("A clip has 0.1 to 1000 frames a second, not {:g}.", rate);
  }
}

ClipWriter::ClipWriter(const std::filesystem::path& path, Size size,
                       const ClipWriteOptions& options)
    : name_(path.string()), size_(size), process_(kClipHelper, "write", {}) {
  options.check();
  if (size.rows < 2 || size.cols < 2 || size.rows % 2 != 0 || size.cols % 2 != 0) {
    throw Error("The sides of a clip's frames must be even, not {}.", to_string(size));
  }
  ClipWriteHead head;
  head.rows = size.rows;
  head.cols = size.cols;
  head.rate = options.rate;
  std::memcpy(head.codec, options.codec == ClipCodec::kH264 ? "avc1" : "MJPG", 4);
  process_.send(kClipWrite, bytes_of(head), std::filesystem::absolute(path).string());
  expect_done();
}

void ClipWriter::expect_done() {
  const Message message = process_.receive();
  if (message.kind == kClipProblem) throw Error("Cannot write {}: {}.", name_, message.bytes);
}

void ClipWriter::write(const Image& frame) {
  write(ColorImage{frame, frame, frame});
}

void ClipWriter::write(const ColorImage& frame) {
  if (size_of(frame.red) != size_ || size_of(frame.green) != size_ ||
      size_of(frame.blue) != size_) {
    throw Error("All frames of {} must be {}, as the first.", name_, to_string(size_));
  }
  std::string bytes;
  bytes.reserve(3 * static_cast<std::size_t>(size_.pixels()));
  for (Index row = 0; row < size_.rows; ++row) {
    for (Index col = 0; col < size_.cols; ++col) {
      bytes.push_back(byte_of(frame.blue(row, col)));
      bytes.push_back(byte_of(frame.green(row, col)));
      bytes.push_back(byte_of(frame.red(row, col)));
    }
  }
  process_.send(kClipFrame, {}, bytes);
  expect_done();
}

void ClipWriter::finish() {
  process_.send(kClipEnd, {});
  expect_done();
  if (std::filesystem::path(name_).extension() == ".avi" && !is_whole_avi(name_)) {
    throw Error(ErrorKind::no_space,
                "Cannot write {}: the end of it is missing, as on a full disk.", name_);
  }
}

}  // namespace longshot
