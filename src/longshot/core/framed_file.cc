// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/framed_file.h"

#include <bit>
#include <cmath>

#include <zlib.h>

#include "longshot/core/error.h"
#include "longshot/core/sealed_magic.h"

namespace longshot {
namespace {

constexpr std::size_t kChecksumBytes = 4;

static_assert(std::endian::native == std::endian::little, "files are written as memory holds them");

std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

void refuse_sealed(std::string_view bytes, std::string_view name) {
  if (bytes.starts_with(kSealedFileMagic)) throw Error("{} is sealed: unseal it first.", name);
}

std::string frame_file(const FileFormat& format, std::string_view content) {
  ByteWriter writer;
  writer.bytes(format.magic);
  writer.number(format.version);
  writer.number(static_cast<std::uint64_t>(content.size()));
  writer.bytes(content);
  std::string bytes = writer.take();
  ByteWriter checksum;
  checksum.number(crc_of(bytes));
  bytes += checksum.take();
  if (bytes.size() > format.most_bytes) {
    throw Error("There is too much for a file: {} of {} bytes.", format.kind, bytes.size());
  }
  return bytes;
}

std::uint32_t framed_version(const FileFormat& format, std::string_view bytes,
                             std::string_view name) {
  if (!bytes.starts_with(format.magic)) {
    refuse_sealed(bytes, name);
    throw Error("{} is not {} {}.", name, format.kind, format.whose);
  }
  const auto version = ByteReader(bytes.substr(format.magic.size()), name).number<std::uint32_t>();
  if (version < 1 || version > format.version) {
    throw Error(ErrorKind::unsupported,
                "{} is {} of version {}, but this longshot reads up to version {}.", name,
                format.kind, version, format.version);
  }
  return version;
}

Unframed unframe_file(const FileFormat& format, std::string_view bytes, std::string_view name) {
  const std::uint32_t version = framed_version(format, bytes, name);
  ByteReader reader(bytes.substr(format.magic.size() + sizeof(version)), name);
  const auto length = reader.number<std::uint64_t>();
  if (reader.left() < kChecksumBytes || length != reader.left() - kChecksumBytes) {
    reader.refuse("its length does not fit its header");
  }
  const std::string_view content = reader.take(static_cast<std::size_t>(length));
  const std::string_view checked = bytes.substr(0, bytes.size() - kChecksumBytes);
  if (reader.number<std::uint32_t>() != crc_of(checked)) reader.refuse("its checksum is wrong");
  return {version, content};
}

void ByteWriter::text(std::string_view value) {
  count(static_cast<Index>(value.size()));
  bytes(value);
}

void ByteWriter::values(const MatrixRef& values) {
  const Matrix dense = values;
  bytes_.append(reinterpret_cast<const char*>(dense.data()),
                static_cast<std::size_t>(dense.size()) * sizeof(double));
}

void ByteWriter::matrix(const MatrixRef& values) {
  count(values.rows());
  count(values.cols());
  this->values(values);
}

void ByteReader::refuse(std::string_view why) const {
  throw Error(ErrorKind::damaged, "{} is damaged: {}.", name_, why);
}

double ByteReader::finite() {
  const auto value = number<double>();
  if (!std::isfinite(value)) refuse("it holds a value that is not finite");
  return value;
}

Index ByteReader::count(std::uint32_t most) {
  const auto value = number<std::uint32_t>();
  if (value > most) refuse("it claims more than fits");
  return static_cast<Index>(value);
}

std::string ByteReader::text(std::uint32_t most) {
  return std::string(take(static_cast<std::size_t>(count(most))));
}

Matrix ByteReader::values(std::uint64_t rows, std::uint64_t cols) {
  // Both are below 2^32, so the product cannot overflow.
  if (rows >> 32 != 0 || cols >> 32 != 0 || rows * cols > rest_.size() / sizeof(double)) {
    refuse("it claims more than fits");
  }
  Matrix values(static_cast<Index>(rows), static_cast<Index>(cols));
  const std::string_view content = take(rows * cols * sizeof(double));
  if (!content.empty()) std::memcpy(values.data(), content.data(), content.size());
  return values;
}

Matrix ByteReader::matrix() {
  const auto rows = number<std::uint32_t>();
  return values(rows, number<std::uint32_t>());
}

Vector ByteReader::vector() {
  const Matrix values = matrix();
  if (values.cols() != 1) refuse("a vector has several columns");
  return values.col(0);
}

std::string_view ByteReader::take(std::size_t size) {
  if (size > rest_.size()) refuse("it claims more than fits");
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

void ByteReader::finish() const {
  if (!rest_.empty()) refuse("it is longer than its content");
}

}  // namespace longshot
