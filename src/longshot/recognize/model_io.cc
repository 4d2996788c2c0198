// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/model_io.h"

#include <array>
#include <cmath>
#include <cstdint>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/core/framed_file.h"
#include "longshot/core/private_file.h"

namespace longshot {
namespace {

// 2: the geometry may be that of a camera; 3: with warped faces
constexpr FileFormat kFormat = {"LSMODEL", 3, "a model", "of longshot", std::uint64_t{2} << 30};
constexpr std::uint32_t kMostText = 4096;
constexpr std::uint32_t kMostLights = 1000;
constexpr std::uint32_t kMostParameters = 1000;
constexpr std::uint32_t kMostMatrices = 1000;

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
  ByteWriter writer;
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

Size read_size(ByteReader& reader) {
  const Index rows = reader.count(kLargestImageSide);
  return {rows, reader.count(kLargestImageSide)};
}

Model decode_content(ByteReader& reader, std::uint32_t version) {
  Model model;
  model.method = reader.text(kMostText);
  model.options.profile = static_cast<Profile>(reader.count(1));
  model.options.tune = reader.flag();
  model.options.embedding = reader.text(kMostText);
  for (Index left = reader.count(kMostParameters); left > 0; --left) {
    std::string name = reader.text(kMostText);
    model.options.parameters[std::move(name)] = reader.text(kMostText);
  }
  FaceFrame& frame = model.geometry.frame;
  for (double* value : {&frame.eyes.left.x, &frame.eyes.left.y, &frame.eyes.right.x,
                        &frame.eyes.right.y, &frame.aspect}) {
    *value = reader.finite();
  }
  model.geometry.high = read_size(reader);
  model.geometry.low = read_size(reader);
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
    const std::string name = reader.text(kMostText);
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
  return frame_file(kFormat, encode_content(model));
}

Model decode_model(std::string_view bytes, std::string_view name) {
  const Unframed unframed = unframe_file(kFormat, bytes, name);
  ByteReader reader(unframed.content, name);
  Model model = decode_content(reader, unframed.version);
  try {
    model.check();
  } catch (const Error& error) {
    throw Error(ErrorKind::damaged, "{} is damaged: {}", name, error.what());
  }
  return model;
}

void write_model(const std::filesystem::path& path, const Model& model) {
  write_private_file(path, encode_model(model));
}

Model read_model(const std::filesystem::path& path) {
  return decode_model(read_file(path, kFormat.most_bytes), path.string());
}

std::unique_ptr<Recognizer> restore_recognizer(const Model& model) {
  std::unique_ptr<Recognizer> recognizer = make_recognizer(model.method, model.options);
  recognizer->restore(model.state);
  return recognizer;
}

}  // namespace longshot
