// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/model_io.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <zlib.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"

namespace longshot {
namespace {

constexpr std::string_view kMagic = "LSMODEL";
// 2: the geometry may be that of a camera; 3: with warped faces
constexpr std::uint32_t kVersion = 3;
constexpr std::size_t kHeaderBytes = kMagic.size() + 4 + 8;
constexpr std::size_t kChecksumBytes = 4;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{2} << 30;
constexpr std::uint32_t kMostText = 4096;
constexpr std::uint32_t kMostLights = 1000;
constexpr std::uint32_t kMostParameters = 1000;
constexpr std::uint32_t kMostMatrices = 1000;

static_assert(std::endian::native == std::endian::little, "files are written as memory holds them");

std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

class Writer {
 public:
  template <typename T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void count(Index value) { number(static_cast<std::uint32_t>(value)); }
  void text(const std::string& value) {
    count(static_cast<Index>(value.size()));
    bytes_ += value;
  }
  void matrix(const Matrix& values) {
    count(values.rows());
    count(values.cols());
    bytes_.append(reinterpret_cast<const char*>(values.data()),
                  static_cast<std::size_t>(values.size()) * sizeof(double));
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Takes values off the front and never reads or allocates beyond what is there.
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
  double finite() {
    const auto value = number<double>();
    if (!std::isfinite(value)) refuse("it holds a value that is not finite");
    return value;
  }
  Index count(std::uint32_t most) {
    const auto value = number<std::uint32_t>();
    if (value > most) refuse("it claims more than fits");
    return static_cast<Index>(value);
  }
  bool flag() { return count(1) == 1; }
  std::string text() {
    const Index size = count(kMostText);
    return std::string(take(static_cast<std::size_t>(size)));
  }
  Matrix matrix() {
    const auto rows = std::uint64_t{number<std::uint32_t>()};
    const auto cols = std::uint64_t{number<std::uint32_t>()};
    if (rows * cols > rest_.size() / sizeof(double)) refuse("it claims more than fits");
    Matrix values(static_cast<Index>(rows), static_cast<Index>(cols));
    const std::string_view content = take(rows * cols * sizeof(double));
    if (!content.empty()) std::memcpy(values.data(), content.data(), content.size());
    return values;
  }
  Vector vector() {
    const Matrix values = matrix();
    if (values.cols() != 1) refuse("a vector has several columns");
    return values.col(0);
  }
  Size size() {
    const Index rows = count(kLargestImageSide);
    return {rows, count(kLargestImageSide)};
  }
  void finish() const {
    if (!rest_.empty()) refuse("it is longer than its content");
  }

 private:
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) refuse("it claims more than fits");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  std::string_view name_;
};

// What a geometry has of a camera, in the order of the file.
using CameraNumbers = std::array<double, 12>;

CameraNumbers camera_numbers(const FaceGeometry& geometry) {
  const Registration& place = geometry.registration;
  const CameraError& error = geometry.error;
  return {place.dx,       place.dy,        place.log_x, place.log_y,
          geometry.gamma, geometry.noise,  error.shift, error.log_scale,
          error.log_blur, error.log_gamma, error.black, error.warp};
}

void set_camera_numbers(const CameraNumbers& numbers, FaceGeometry& geometry) {
  geometry.registration = {numbers[0], numbers[1], numbers[2], numbers[3]};
  geometry.gamma = numbers[4];
  geometry.noise = numbers[5];
  geometry.error = {numbers[6], numbers[7], numbers[8], numbers[9], numbers[10], numbers[11]};
}

std::string encode_content(const Model& model) {
  Writer writer;
  writer.text(model.method);
  writer.count(static_cast<Index>(model.options.profile));
  writer.count(model.options.tune ? 1 : 0);
  writer.text(model.options.embedding.string());
  writer.count(static_cast<Index>(model.options.parameters.size()));
  for (const auto& [name, value] : model.options.parameters) {
    writer.text(name);
    writer.text(value);
  }
  const FaceFrame& frame = model.geometry.frame;
  for (const double value : {frame.eyes.left.x, frame.eyes.left.y, frame.eyes.right.x,
                             frame.eyes.right.y, frame.aspect}) {
    writer.number(value);
  }
  for (const Size size : {model.geometry.high, model.geometry.low}) {
    writer.count(size.rows);
    writer.count(size.cols);
  }
  writer.count(static_cast<Index>(model.geometry.op.kind));
  writer.number(model.geometry.op.blur_factor);
  for (const double value : camera_numbers(model.geometry)) writer.number(value);
  writer.count(static_cast<Index>(model.lights.size()));
  for (const LightDirection& light : model.lights) {
    writer.number(light.azimuth);
    writer.number(light.elevation);
  }
  writer.count(model.prior ? 1 : 0);
  if (model.prior) {
    writer.matrix(model.prior->mean);
    writer.matrix(model.prior->variance);
  }
  writer.count(static_cast<Index>(model.state.matrices().size()));
  for (const auto& [name, values] : model.state.matrices()) {
    writer.text(name);
    writer.matrix(values);
  }
  return writer.take();
}

Model decode_content(Reader& reader, std::uint32_t version) {
  Model model;
  model.method = reader.text();
  model.options.profile = static_cast<Profile>(reader.count(1));
  model.options.tune = reader.flag();
  model.options.embedding = reader.text();
  for (Index left = reader.count(kMostParameters); left > 0; --left) {
    std::string name = reader.text();
    model.options.parameters[std::move(name)] = reader.text();
  }
  FaceFrame& frame = model.geometry.frame;
  for (double* value : {&frame.eyes.left.x, &frame.eyes.left.y, &frame.eyes.right.x,
                        &frame.eyes.right.y, &frame.aspect}) {
    *value = reader.finite();
  }
  model.geometry.high = reader.size();
  model.geometry.low = reader.size();
  model.geometry.op.kind = static_cast<OperatorKind>(reader.count(2));
  model.geometry.op.blur_factor = reader.finite();
  if (version >= 2) {
    CameraNumbers numbers = {};
    const std::size_t count = numbers.size() - (version == 2 ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = reader.finite();
    set_camera_numbers(numbers, model.geometry);
  }
  model.lights.resize(static_cast<std::size_t>(reader.count(kMostLights)));
  for (LightDirection& light : model.lights) {
    light.azimuth = reader.finite();
    light.elevation = reader.finite();
  }
  if (reader.flag()) {
    Vector mean = reader.vector();
    model.prior = {model.geometry.high, std::move(mean), reader.vector()};
  }
  const Index matrices = reader.count(kMostMatrices);
  for (Index i = 0; i < matrices; ++i) {
    const std::string name = reader.text();
    model.state.set(name, reader.matrix());
  }
  reader.finish();
  return model;
}

}  // namespace

void Model::check() const {
  if (method.empty()) throw Error("A model needs the name of its method.");
  geometry.frame.check();
  for (const Size size : {geometry.high, geometry.low}) {
    if (size.rows < 1 || size.cols < 1 || size.rows > kLargestImageSide ||
        size.cols > kLargestImageSide) {
      throw Error("A model cannot have faces of {}.", to_string(size));
    }
  }
  if (!(geometry.op.blur_factor <= 10.0)) {
    throw Error("A model cannot have a blur factor of {}.", geometry.op.blur_factor);
  }
  for (const double value : camera_numbers(geometry)) {
    if (!(std::abs(value) <= 10.0)) throw Error("A model cannot have a camera with {}.", value);
  }
  if (!(geometry.gamma > 0.0)) {
    throw Error("A model cannot have a camera with a gamma of {}.", geometry.gamma);
  }
  if (lights.empty() || lights.size() > kMostLights) {
    throw Error("A model needs 1 to {} lights, not {}.", kMostLights, lights.size());
  }
  for (const LightDirection& light : lights) {
    if (!(std::abs(light.azimuth) <= 90.0 && std::abs(light.elevation) <= 90.0)) {
      throw Error("A model cannot have a light at {}:{}.", light.azimuth, light.elevation);
    }
  }
  if (prior) {
    if (prior->size != geometry.high) throw Error("The model's albedo is of another size.");
    prior->check();
  }
  if (state.matrices().size() > kMostMatrices) {
    throw Error("A model cannot hold {} matrices.", state.matrices().size());
  }
  for (const auto& [name, values] : state.matrices()) {
    if (!values.allFinite())
      throw Error("The model's \"{}\" holds values that are not finite.", name);
  }
}

std::string encode_model(const Model& model) {
  model.check();
  const std::string content = encode_content(model);
  std::string bytes(kMagic);
  Writer header;
  header.number(kVersion);
  header.number(static_cast<std::uint64_t>(content.size()));
  bytes += header.take();
  bytes += content;
  Writer checksum;
  checksum.number(crc_of(bytes));
  bytes += checksum.take();
  if (bytes.size() > kMostBytes) throw Error("The model is too large for a file.");
  return bytes;
}

Model decode_model(std::string_view bytes, std::string_view name) {
  if (!bytes.starts_with(kMagic)) throw Error("{} is not a model of longshot.", name);
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
  Model model = decode_content(reader, version);
  try {
    model.check();
  } catch (const Error& error) {
    throw Error("{} is damaged: {}", name, error.what());
  }
  return model;
}

void write_model(const std::filesystem::path& path, const Model& model) {
  write_file(path, encode_model(model));
}

Model read_model(const std::filesystem::path& path) {
  return decode_model(read_file(path, kMostBytes), path.string());
}

std::unique_ptr<Recognizer> restore_recognizer(const Model& model) {
  std::unique_ptr<Recognizer> recognizer = make_recognizer(model.method, model.options);
  recognizer->restore(model.state);
  return recognizer;
}

}  // namespace longshot
