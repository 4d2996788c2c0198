// SPDX-License-Identifier: Apache-2.0
#include "longshot/camera/camera.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include <nlohmann/json.hpp>

#include "longshot/core/check.h"
#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/core/json_integer.h"
#include "longshot/core/private_file.h"
#include "longshot/core/sealed_magic.h"

namespace longshot {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "longshot camera";
constexpr int kCameraVersion = 1;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{16} << 20;
constexpr Index kMostPixels = 100000;
// Grey level that remains of what is darker than black, of the full scale: square roots and unit
// norms need positive images.
constexpr double kDarkest = 1e-3;
// How single crops lie beside where their camera has its faces, and single places of a face where
// the photo has them, one deviation.
constexpr double kCropShift = 0.015;
constexpr double kCropScale = 0.02;
constexpr double kCropWarp = 0.015;

[[noreturn]] void refuse_camera(std::string_view name) {
  throw Error(ErrorKind::damaged, "{} is not a camera file, or it is damaged: learn it again.",
              name);
}

// The JSON library would also take true for 1.
double number_in(const Json& value, std::string_view name) {
  if (!value.is_number()) refuse_camera(name);
  return value.get<double>();
}

Index count_in(const Json& value, std::string_view name) {
  const std::optional<std::int64_t> count = json_integer(value);
  if (!count || *count < 0 || *count >> 40 != 0) refuse_camera(name);
  return *count;
}

constexpr const char* kNetwork = "network";
constexpr const char* kGradients = "gradients";
constexpr Index kMostFeatures = 100000;
// In the order of Days.
constexpr std::array kDays = {"unknown", "same", "other", "asked"};

Json to_json(const Vector& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(value);
  return array;
}

Vector vector_in(const Json& array, std::string_view name) {
  if (!array.is_array()) refuse_camera(name);
  Vector values(static_cast<Index>(array.size()));
  for (std::size_t i = 0; i < array.size(); ++i) {
    values(static_cast<Index>(i)) = number_in(array[i], name);
  }
  return values;
}

Json to_json(const std::vector<FaceCentre>& centres) {
  Json array = Json::array();
  for (const FaceCentre& centre : centres) {
    array.push_back(
        {{"features", centre.features == LifeFeatures::kNetwork ? kNetwork : kGradients},
         {"checksum", centre.checksum},
         {"crops", to_json(centre.crops)},
         {"people", to_json(centre.people)}});
  }
  return array;
}

std::vector<FaceCentre> centres_in(const Json& array, std::string_view name) {
  if (!array.is_array()) refuse_camera(name);
  std::vector<FaceCentre> centres;
  for (const Json& one : array) {
    const bool network = one.at("features") == kNetwork;
    if (!network && one.at("features") != kGradients) refuse_camera(name);
    centres.push_back({network ? LifeFeatures::kNetwork : LifeFeatures::kGradients,
                       static_cast<std::uint32_t>(count_in(one.at("checksum"), name)),
                       vector_in(one.at("crops"), name), vector_in(one.at("people"), name)});
  }
  return centres;
}

Days days_in(const Json& value, std::string_view name, bool may_ask) {
  const auto found = std::ranges::find(kDays, value.get<std::string>());
  const auto days = static_cast<Days>(found - kDays.begin());
  if (found == kDays.end() || (days == Days::kAsked && !may_ask)) refuse_camera(name);
  return days;
}

// The correction at another size than it was learnt at; lengths stay.
Vector tone_at(const Camera& camera, Size size) {
  if (camera.tone.size() == 0 || camera.size == size) return camera.tone;
  const Image there = degrade(camera.tone.reshaped(camera.size.rows, camera.size.cols), size);
  return there.reshaped() *
         std::sqrt(static_cast<double>(camera.size.pixels()) / static_cast<double>(size.pixels()));
}

}  // namespace

void Camera::check() const {
  if (size.rows < 1 || size.cols < 1 || size.pixels() > kMostPixels) {
    throw Error("size of a camera cannot be {}.", to_string(size));
  }
  if (crops < 1) throw Error("crops of a camera must be at least 1, not {}.", crops);
  for (const double shift : {registration.dx, registration.dy}) {
    check_range("the shift", "a camera", shift, -1.0, 1.0);
  }
  for (const double scale : {registration.log_x, registration.log_y}) {
    check_range("the logarithm of the scale", "a camera", scale, -1.0, 1.0);
  }
  check_range("gamma", "a camera", gamma, 0.1, 10.0);
  check_range("noise", "a camera", noise, 0.0, 10.0);
  check_range("the error of the shift", "a camera", error.shift, 0.0, 1.0);
  check_range("the error of the scale", "a camera", error.log_scale, 0.0, 1.0);
  check_range("the error of the blur", "a camera", error.log_blur, 0.0, 5.0);
  check_range("the error of gamma", "a camera", error.log_gamma, 0.0, 5.0);
  check_range("the error of the black level", "a camera", error.black, 0.0, 5.0);
  check_range("the error of the warp", "a camera", error.warp, 0.0, 1.0);
  check_range("black", "a camera", black, -1.0, 1.0);
  if (tone.size() != 0 && tone.size() != size.pixels()) {
    throw Error("tone of a camera must have {} values, not {}.", size.pixels(), tone.size());
  }
  if (!tone.allFinite() || tone.norm() > 2.0) throw Error("tone of a camera is out of range.");
  if (faces < 0 || people < 0) throw Error("faces of a camera cannot be fewer than none.");
  for (const FaceCentre& centre : centres) {
    if (faces < 1 || people < 1 || centre.crops.size() != centre.people.size() ||
        centre.crops.size() > kMostFeatures || !(centre.crops.norm() < kMostFeatures) ||
        !(centre.people.norm() < kMostFeatures)) {
      throw Error("centres of a camera are out of range.");
    }
  }
}

std::string_view to_string(Days days) {
  return kDays.at(static_cast<std::size_t>(days));
}

std::optional<Camera> camera_of_days(Days days) {
  if (days == Days::kUnknown) return std::nullopt;
  Camera camera;
  camera.size = {1, 1};
  camera.crops = 1;
  camera.days = days;
  return camera;
}

FaceGeometry through_camera(FaceGeometry geometry, const Camera& camera) {
  if (!camera.learnt) return geometry;
  geometry.op = camera.op;
  geometry.registration = camera.registration;
  geometry.gamma = camera.gamma;
  geometry.noise = camera.noise;
  geometry.error = camera.error;
  geometry.error.shift = std::hypot(camera.error.shift, kCropShift);
  geometry.error.log_scale = std::hypot(camera.error.log_scale, kCropScale);
  geometry.error.warp = std::hypot(camera.error.warp, kCropWarp);
  geometry.tone = tone_at(camera, geometry.low);
  return geometry;
}

Matrix corrected_crops(const MatrixRef& crops, Size size, const Camera& camera) {
  if (!camera.learnt) return crops;
  const Vector tone = tone_at(camera, size);
  Matrix corrected = crops.array() - camera.black;
  for (auto crop : corrected.colwise()) {
    if (tone.size() != 0) crop += (crop.array() - crop.mean()).matrix().norm() * tone;
    crop = crop.cwiseMax(kDarkest);
  }
  return corrected;
}

Matrix before_tone(const MatrixRef& corrected, const Vector& tone) {
  if (tone.size() == 0) return corrected;
  assert(tone.size() == corrected.rows());
  const Vector t = tone.array() - tone.mean();
  const double rest = 1.0 - t.squaredNorm();
  // The tone is longer than what it was added to: another crop may have given the same.
  if (rest <= 0.0) return corrected;
  Matrix crops = corrected;
  for (auto crop : crops.colwise()) {
    // The deviation y = x + s t, where s = |x|: rest s^2 + 2 s t'y = |y|^2.
    const Vector deviation = crop.array() - crop.mean();
    const double along = t.dot(deviation);
    const double s = (std::sqrt(along * along + rest * deviation.squaredNorm()) - along) / rest;
    crop -= s * tone;
  }
  return crops;
}

std::string encode_camera(const Camera& camera) {
  camera.check();
  Json document = {
      {"format", kFormat},
      {"version", kCameraVersion},
      {"size", to_string(camera.size)},
      {"crops", camera.crops},
      {"learnt", camera.learnt},
      {"operator", to_string(camera.op)},
      {"dx", camera.registration.dx},
      {"dy", camera.registration.dy},
      {"log_x", camera.registration.log_x},
      {"log_y", camera.registration.log_y},
      {"gamma", camera.gamma},
      {"noise", camera.noise},
      {"black", camera.black},
      {"error",
       {{"shift", camera.error.shift},
        {"log_scale", camera.error.log_scale},
        {"log_blur", camera.error.log_blur},
        {"log_gamma", camera.error.log_gamma},
        {"black", camera.error.black},
        {"warp", camera.error.warp}}},
      {"tone", to_json((camera.tone * 1e6).array().round() / 1e6)},
  };
  if (!camera.centres.empty()) {
    document["faces"] = camera.faces;
    document["people"] = camera.people;
    document["centres"] = to_json(camera.centres);
  }
  if (camera.days != Days::kUnknown) {
    document["days"] = to_string(camera.days);
  }
  return document.dump(1) + "\n";
}

Camera decode_camera(std::string_view text, std::string_view name, bool may_ask) {
  refuse_sealed(text, name);
  try {
    const Json document = Json::parse(text);
    if (document.at("format") != kFormat) throw Error("{} is not a camera file.", name);
    const Index version = count_in(document.at("version"), name);
    const auto number = [&](const Json& in, const char* key) {
      return number_in(in.at(key), name);
    };
    if (version < 1 || version > kCameraVersion) {
      throw Error(ErrorKind::unsupported,
                  "{} is a camera file of version {}, but this longshot reads up to version {}.",
                  name, version, kCameraVersion);
    }
    Camera camera;
    camera.size = parse_size(document.at("size").get<std::string>());
    camera.crops = count_in(document.at("crops"), name);
    camera.learnt = document.at("learnt").get<bool>();
    camera.op = parse_operator(document.at("operator").get<std::string>());
    camera.registration = {number(document, "dx"), number(document, "dy"),
                           number(document, "log_x"), number(document, "log_y")};
    camera.gamma = number(document, "gamma");
    camera.noise = number(document, "noise");
    camera.black = number(document, "black");
    const Json& error = document.at("error");
    // The first files do not have a warp.
    camera.error = {
        number(error, "shift"),    number(error, "log_scale"),
        number(error, "log_blur"), number(error, "log_gamma"),
        number(error, "black"),    error.contains("warp") ? number(error, "warp") : 0.0};
    camera.tone = vector_in(document.at("tone"), name);
    if (document.contains("centres")) {
      camera.faces = count_in(document.at("faces"), name);
      camera.people = count_in(document.at("people"), name);
      camera.centres = centres_in(document.at("centres"), name);
    }
    if (document.contains("days")) camera.days = days_in(document.at("days"), name, may_ask);
    camera.check();
    return camera;
  } catch (const nlohmann::json::exception&) {
    refuse_camera(name);
  }
}

void write_camera(const std::filesystem::path& path, const Camera& camera) {
  write_private_file(path, encode_camera(camera));
}

Camera read_camera(const std::filesystem::path& path) {
  return decode_camera(read_file(path, kMostBytes), path.string());
}

}  // namespace longshot
