// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/training_faces.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/core/framed_file.h"
#include "longshot/core/private_file.h"

namespace longshot {
namespace {

constexpr FileFormat kFormat = {"LSTRAIN", 1, "a model", "made by \"longshot train\"",
                                std::uint64_t{4} << 30};
constexpr std::uint32_t kLargestFaceSide = 1000;

// Frame, size, count, subjects, albedo mean and variance, grey levels.
std::string encode_content(const TrainingFaces& faces) {
  ByteWriter content;
  const FaceFrame& frame = faces.frame;
  for (const double value : {frame.eyes.left.x, frame.eyes.left.y, frame.eyes.right.x,
                             frame.eyes.right.y, frame.aspect}) {
    content.number(value);
  }
  content.number(static_cast<std::uint32_t>(faces.size.rows));
  content.number(static_cast<std::uint32_t>(faces.size.cols));
  content.number(static_cast<std::uint32_t>(faces.count()));
  for (const int subject : faces.subjects) content.number(static_cast<std::uint32_t>(subject));
  for (const double value : faces.prior.mean) content.number(value);
  for (const double value : faces.prior.variance) content.number(value);
  content.bytes({reinterpret_cast<const char*>(faces.pixels.data()), faces.pixels.size()});
  return content.take();
}

TrainingFaces decode_content(ByteReader& reader) {
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
  return frame_file(kFormat, encode_content(faces));
}

TrainingFaces decode_training(std::string_view bytes, std::string_view name) {
  ByteReader reader(unframe_file(kFormat, bytes, name).content, name);
  TrainingFaces faces = decode_content(reader);
  try {
    faces.check();
  } catch (const Error& error) {
    throw Error(ErrorKind::damaged, "{} is damaged: {}", name, error.what());
  }
  return faces;
}

void write_training(const std::filesystem::path& path, const TrainingFaces& faces) {
  write_private_file(path, encode_training(faces));
}

TrainingFaces read_training(const std::filesystem::path& path) {
  return decode_training(read_file(path, kFormat.most_bytes), path.string());
}

}  // namespace longshot
