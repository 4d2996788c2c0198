// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include "longshot/door.h"  // first: it keeps the two faces apart

namespace longshot {

v0::Camera door::outer(const longshot::Camera& camera, std::string name) {
  return v0::Camera(
      std::make_shared<const v0::Camera::Value>(v0::Camera::Value{camera, std::move(name)}));
}

namespace v0 {

Camera::Camera(std::shared_ptr<const Value> value) : value_(std::move(value)) {}

Camera Camera::read(const std::filesystem::path& path) {
  return door::translated([&] { return door::outer(read_camera(path), path.stem().string()); });
}

void Camera::write(const std::filesystem::path& path) const {
  door::translated([&] { write_camera(path, value_->camera); });
}

std::string Camera::json() const {
  return encode_camera(value_->camera);
}

Camera Camera::parse(std::string_view json) {
  return door::translated([&] { return door::outer(decode_camera(json, "the camera")); });
}

std::string Camera::name() const {
  return value_->name;
}

Size Camera::size() const {
  return door::outer(value_->camera.size);
}

std::ptrdiff_t Camera::crops() const {
  return value_->camera.crops;
}

bool Camera::learnt() const {
  return value_->camera.learnt;
}

CameraFigures Camera::figures() const {
  const longshot::Camera& camera = value_->camera;
  const CameraError& error = camera.error;
  const Registration& place = camera.registration;
  CameraFigures figures;
  figures.op = longshot::to_string(camera.op);
  figures.right = {place.dx, error.shift};
  figures.down = {place.dy, error.shift};
  figures.wider = {std::expm1(place.log_x), error.log_scale};
  figures.taller = {std::expm1(place.log_y), error.log_scale};
  figures.blur = {camera.op.blur_factor, camera.op.blur_factor * error.log_blur};
  figures.gamma = {camera.gamma, camera.gamma * error.log_gamma};
  figures.black = camera.black;
  figures.noise = camera.noise;
  figures.mean_face = camera.tone.size() > 0;
  figures.faces = camera.centres.empty() ? 0 : camera.faces;
  figures.days = longshot::to_string(camera.days);
  return figures;
}

}  // namespace v0
}  // namespace longshot
