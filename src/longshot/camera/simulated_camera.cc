// SPDX-License-Identifier: Apache-2.0
#include "longshot/camera/simulated_camera.h"

#include <cmath>

#include "longshot/core/check.h"
#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/core/random.h"
#include "longshot/image/degrade.h"
#include "longshot/image/image_io.h"

namespace longshot {
void SimulatedCamera::check() const {
  check_range("dx", "a simulated camera", registration.dx, -1.0, 1.0);
  check_range("dy", "a simulated camera", registration.dy, -1.0, 1.0);
  check_range("log_x", "a simulated camera", registration.log_x, -1.0, 1.0);
  check_range("log_y", "a simulated camera", registration.log_y, -1.0, 1.0);
  check_range("blur", "a simulated camera", blur, 0.0, 10.0);
  check_range("gamma", "a simulated camera", gamma, 0.1, 10.0);
  check_range("exposure", "a simulated camera", exposure, 0.01, 1.0);
  check_range("offset", "a simulated camera", offset, -1.0, 1.0);
  check_range("noise", "a simulated camera", noise, 0.0, 1.0);
  check_range("jpeg_quality", "a simulated camera", jpeg_quality, 0.0, 100.0);
}

CameraRange gentler_range(double harm) {
  check_range("harm", "a simulated camera", harm, 0.0, 1.0);
  CameraRange range;
  range.blur[1] = range.blur[0] + harm * (range.blur[1] - range.blur[0]);
  range.noise[1] *= harm;
  for (int& quality : range.jpeg_quality) {
    quality = 100 - static_cast<int>(std::lround(harm * (100 - quality)));
  }
  return range;
}

SimulatedCamera random_camera(std::uint64_t seed, std::uint64_t number, const CameraRange& range) {
  Random random(seed, number);
  const auto between = [&](const double(&bounds)[2]) {
    return random.uniform(bounds[0], bounds[1]);
  };
  SimulatedCamera camera;
  camera.registration.dx = random.uniform(-range.shift, range.shift);
  camera.registration.dy = random.uniform(-range.shift, range.shift);
  camera.registration.log_x = random.uniform(-range.scale, range.scale);
  camera.registration.log_y = random.uniform(-range.scale, range.scale);
  camera.blur = between(range.blur);
  camera.gamma = between(range.gamma);
  camera.exposure = between(range.exposure);
  camera.offset = between(range.offset);
  camera.noise = between(range.noise);
  const int qualities = range.jpeg_quality[1] - range.jpeg_quality[0] + 1;
  camera.jpeg_quality = range.jpeg_quality[0] + static_cast<int>(random.below(qualities));
  camera.check();
  return camera;
}

Matrix take_crops(const SimulatedCamera& camera, const MatrixRef& faces, Size high, Size low,
                  std::uint64_t seed) {
  camera.check();
  const Degrader degrader({OperatorKind::kGauss, camera.blur}, high, low, camera.registration);
  Matrix crops = degrader.apply_columns(faces).array().max(0.0).pow(camera.gamma);
  const double gain = camera.exposure / std::max(crops.mean(), 1e-6);
  parallel_for(crops.cols(), [&](Index k) {
    Image crop = crops.col(k).reshaped(low.rows, low.cols);
    crop = gain * crop.array() + camera.offset;
    crop = add_noise(crop, camera.noise, Random(seed, static_cast<std::uint64_t>(k)).bits(), true);
    const std::string bytes = camera.jpeg_quality > 0 ? encode_jpeg(crop, camera.jpeg_quality)
                                                      : encode_image(crop, ".pgm");
    crops.col(k) = decode_still(bytes, "A simulated crop").image.reshaped();
  });
  return crops;
}

}  // namespace longshot
