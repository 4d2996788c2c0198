// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/training_faces.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>
#include <type_traits>

#include <zlib.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"

namespace longshot {
namespace {

constexpr std::string_view kMagic = "LSTRAIN";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeaderBytes = kMagic.size() + 4 + 8;
constexpr std::size_t kChecksumBytes = 4;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{4} << 30;
constexpr std::uint32_t kLargestFaceSide = 1000;

static_assert(std::endian::native == std::endian::little, "files are written as memory holds them");

template <typename T>
void append(std::string& bytes, T value) {
  static_assert(std::is_arithmetic_v<T>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// Takes values off the front and never reads beyond what is there.
class Reader {
 public:
  Reader(std::string_view bytes, std::string_view name) : rest_(bytes), name_(name) {}

  [[noreturn]] void refuse(std::string_view why) const {
    throw Error("{} is damaged: {}.", name_, why);
  }
  template <typename T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) refuse("it claims more than it holds");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
  std::string_view name_;
};

// Frame, size, count, subjects, albedo mean and variance, grey levels.
std::string encode_content(const TrainingFaces& faces) {
  std::string content;
  const FaceFrame& frame = faces.frame;
  for (const double value : {frame.eyes.left.x, frame.eyes.left.y, frame.eyes.right.x,
                             frame.eyes.right.y, frame.aspect}) {
    append(content, value);
  }
  append(content, static_cast<std::uint32_t>(faces.size.rows));
  append(content, static_cast<std::uint32_t>(faces.size.cols));
  append(content, static_cast<std::uint32_t>(faces.count()));
  for (const int subject : faces.subjects) append(content, static_cast<std::uint32_t>(subject));
  for (const double value : faces.prior.mean) append(content, value);
  for (const double value : faces.prior.variance) append(content, value);
  content.append(reinterpret_cast<const char*>(faces.pixels.data()), faces.pixels.size());
  return content;
}

TrainingFaces decode_content(Reader& reader) {
  TrainingFaces faces;
  FaceFrame& frame = faces.frame;
  for (double* value : {&frame.eyes.left.x, &frame.eyes.left.y, &frame.eyes.right.x,
                        &frame.eyes.right.y, &frame.aspect}) {
    *value = reader.number<double>();
  }
  const std::uint64_t rows = reader.number<std::uint32_t>();
  const std::uint64_t cols = reader.number<std::uint32_t>();
  const std::uint64_t count = reader.number<std::uint32_t>();
  if (rows < 1 || cols < 1 || rows > kLargestFaceSide || cols > kLargestFaceSide) {
    reader.refuse("its faces have an impossible size");
  }
  const std::uint64_t pixels = rows * cols;
  if (count * (pixels + 4) + 16 * pixels != reader.left()) {
    reader.refuse("its sizes do not fit its length");
  }
  faces.size = {static_cast<Index>(rows), static_cast<Index>(cols)};
  faces.subjects.resize(count);
  for (int& subject : faces.subjects) {
    const auto number = reader.number<std::uint32_t>();
    if (number >= count) reader.refuse("it names a person who is not in it");
    subject = static_cast<int>(number);
  }
  faces.prior.size = faces.size;
  for (Vector* values : {&faces.prior.mean, &faces.prior.variance}) {
    values->resize(faces.size.pixels());
    for (double& value : *values) value = reader.number<double>();
  }
  const std::string_view levels = reader.take(count * pixels);
  faces.pixels.assign(levels.begin(), levels.end());
  return faces;
}

}  // namespace

Index TrainingFaces::people() const {
  return static_cast<Index>(std::set<int>(subjects.begin(), subjects.end()).size());
}

Matrix TrainingFaces::photos() const {
  return Eigen::Map<const Eigen::Matrix<std::uint8_t, Eigen::Dynamic, Eigen::Dynamic>>(
             pixels.data(), size.pixels(), count())
             .cast<double>() /
         255.0;
}

void TrainingFaces::check() const {
  frame.check();
  if (count() < 1) throw Error("A training set needs at least one face.");
  if (size.rows < 1 || size.cols < 1 || size.rows > kLargestFaceSide ||
      size.cols > kLargestFaceSide ||
      static_cast<Index>(pixels.size()) != size.pixels() * count() || prior.size != size) {
    throw Error("The faces and statistics of a training set do not fit its size {}.",
                to_string(size));
  }
  if (std::any_of(subjects.begin(), subjects.end(), [&](int s) { return s < 0 || s >= count(); })) {
    throw Error("A training set numbers its people from 0.");
  }
  prior.check();
}

std::vector<std::uint8_t> grey_levels(const MatrixRef& images) {
  std::vector<std::uint8_t> levels;
  levels.reserve(static_cast<std::size_t>(images.size()));
  for (const double value : images.reshaped()) {
    levels.push_back(static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(value, 0.0, 1.0))));
  }
  return levels;
}

std::string encode_training(const TrainingFaces& faces) {
  faces.check();
  const std::string content = encode_content(faces);
  std::string bytes(kMagic);
  append(bytes, kVersion);
  append(bytes, static_cast<std::uint64_t>(content.size()));
  bytes += content;
  append(bytes, crc_of(bytes));
  if (bytes.size() > kMostBytes) throw Error("The training set is too large for a file.");
  return bytes;
}

TrainingFaces decode_training(std::string_view bytes, std::string_view name) {
  if (!bytes.starts_with(kMagic)) {
    throw Error("{} is not a model made by \"longshot train\".", name);
  }
  Reader header(bytes.substr(kMagic.size()), name);
  const auto version = header.number<std::uint32_t>();
  if (version < 1 || version > kVersion) {
    throw Error("{} is a model of version {}, but this longshot reads up to version {}.", name,
                version, kVersion);
  }
  const auto length = header.number<std::uint64_t>();
  if (bytes.size() < kHeaderBytes + kChecksumBytes ||
      length != bytes.size() - kHeaderBytes - kChecksumBytes) {
    header.refuse("its length does not fit its header");
  }
  const std::string_view checked = bytes.substr(0, bytes.size() - kChecksumBytes);
  if (Reader(bytes.substr(checked.size()), name).number<std::uint32_t>() != crc_of(checked)) {
    header.refuse("its checksum is wrong");
  }
  Reader reader(checked.substr(kHeaderBytes), name);
  TrainingFaces faces = decode_content(reader);
  try {
    faces.check();
  } catch (const Error& error) {
    throw Error("{} is damaged: {}", name, error.what());
  }
  return faces;
}

void write_training(const std::filesystem::path& path, const TrainingFaces& faces) {
  write_file(path, encode_training(faces));
}

TrainingFaces read_training(const std::filesystem::path& path) {
  return decode_training(read_file(path, kMostBytes), path.string());
}

}  // namespace longshot
