// SPDX-License-Identifier: Apache-2.0
#include "longshot/synthetic/synthetic_photo.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "longshot/core/check.h"
#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/relight/light_sets.h"
#include "longshot/synthetic/synthetic_canvas.h"

namespace longshot {
namespace {

// Cells beyond the photo, in eye distances, for parallax and for shadows from outside.
constexpr double kMargin = 0.25;

double bounded_normal(Random& random) {
  return std::clamp(random.normal(), -2.5, 2.5);
}

// Height of a pixel in units of its width: a crop may squeeze what its frame shows.
double pixel_height(const SyntheticPhotoOptions& options) {
  return options.frame.aspect * static_cast<double>(options.size.cols) /
         static_cast<double>(options.size.rows);
}

// Places in the photo, in widths of a pixel, to the plane through the eyes and back:
// p = middle + u right + v up.
struct Placement {
  Eigen::Vector2d middle;
  Eigen::Vector2d right;  // one eye distance, in pixels
  Eigen::Vector2d up;

  Eigen::Vector2d to_face(double px, double py) const {
    const Eigen::Vector2d d = Eigen::Vector2d(px, py) - middle;
    return Eigen::Vector2d(d.dot(right), d.dot(up)) / right.squaredNorm();
  }
  Point to_photo(double u, double v) const {
    const Eigen::Vector2d p = middle + u * right + v * up;
    return {p.x(), p.y()};
  }
};

Eyes wanted_eyes(const SyntheticPhotoOptions& options) {
  Eyes eyes = eyes_in_pixels(options.frame, options.size);
  eyes.left.y *= pixel_height(options);
  eyes.right.y *= pixel_height(options);
  return eyes;
}

Placement place_face(const SyntheticPhotoOptions& options, Random& random) {
  const Eyes wanted = wanted_eyes(options);
  const double distance = eye_distance(wanted);
  const auto jittered = [&](const Point& eye) {
    const double dx = options.alignment * distance * bounded_normal(random);
    const double dy = options.alignment * distance * bounded_normal(random);
    return Eigen::Vector2d(eye.x + dx, eye.y + dy);
  };
  const Eigen::Vector2d left = jittered(wanted.left);
  const Eigen::Vector2d right = jittered(wanted.right);
  const double factor = std::exp(options.scale * bounded_normal(random));
  const Eigen::Rotation2Dd tilt(options.roll * kRadians * bounded_normal(random));
  Placement placement;
  placement.right = factor * (tilt * (right - left));
  placement.up = Eigen::Vector2d(placement.right.y(), -placement.right.x());
  const double dx = options.shift * distance * bounded_normal(random);
  const double dy = options.shift * distance * bounded_normal(random);
  placement.middle = 0.5 * (left + right) + Eigen::Vector2d(dx, dy);
  return placement;
}

Expression draw_expression(double strength, Random& random) {
  Expression expression;
  expression.mouth_open = strength * std::max(0.0, 0.03 * bounded_normal(random) - 0.01);
  expression.smile = strength * std::clamp(0.1 + 0.3 * random.normal(), -0.3, 0.9);
  expression.brow_raise = strength * 0.012 * bounded_normal(random);
  expression.eye_opening = 1.0 + strength * std::clamp(0.08 * random.normal(), -0.35, 0.15);
  expression.gaze_x = strength * 0.018 * bounded_normal(random);
  expression.gaze_y = strength * 0.008 * bounded_normal(random);
  return expression;
}

Surroundings draw_surroundings(Random& random) {
  Surroundings surroundings;
  surroundings.background = std::clamp(0.35 + 0.10 * random.normal(), 0.05, 0.8);
  surroundings.gradient = random.uniform(-0.06, 0.06);
  surroundings.clothes = random.uniform(0.04, 0.7);
  surroundings.key = random.bits();
  return surroundings;
}

// The cells behind a photo, as fine as its pixels.
SurfaceGrid grid_behind(const Placement& placement, double width, double height) {
  SurfaceGrid grid;
  grid.pitch = 1.0 / placement.right.norm();
  double left = 1e9;
  double right = -1e9;
  double bottom = 1e9;
  double top = -1e9;
  for (const double px : {0.0, width}) {
    for (const double py : {0.0, height}) {
      const Eigen::Vector2d corner = placement.to_face(px, py);
      left = std::min(left, corner.x());
      right = std::max(right, corner.x());
      bottom = std::min(bottom, corner.y());
      top = std::max(top, corner.y());
    }
  }
  grid.left = left - kMargin;
  grid.top = top + kMargin;
  grid.cols = static_cast<Index>(std::ceil((right - left + 2 * kMargin) / grid.pitch));
  grid.rows = static_cast<Index>(std::ceil((top - bottom + 2 * kMargin) / grid.pitch));
  return grid;
}

float interpolate_linear(const Plane& plane, float row, float col) {
  const float r = std::clamp(row, 0.0F, static_cast<float>(plane.rows() - 1) - 1e-3F);
  const float c = std::clamp(col, 0.0F, static_cast<float>(plane.cols() - 1) - 1e-3F);
  const auto i = static_cast<int>(r);
  const auto j = static_cast<int>(c);
  const float v = r - static_cast<float>(i);
  const float u = c - static_cast<float>(j);
  return (1.0F - u) * ((1.0F - v) * plane(i, j) + v * plane(i + 1, j)) +
         u * ((1.0F - v) * plane(i, j + 1) + v * plane(i + 1, j + 1));
}

float interpolate_cubic(const Plane& plane, float row, float col) {
  const float r = std::clamp(row, 1.0F, static_cast<float>(plane.rows() - 2) - 1e-3F);
  const float c = std::clamp(col, 1.0F, static_cast<float>(plane.cols() - 2) - 1e-3F);
  const auto i = static_cast<int>(r);
  const auto j = static_cast<int>(c);
  const Eigen::Array4f down = cubic_weights(r - static_cast<float>(i));
  const Eigen::Array4f across = cubic_weights(c - static_cast<float>(j));
  float sum = 0.0F;
  for (Index k = 0; k < 4; ++k) {
    sum += across(k) * (down * plane.col(j - 1 + k).segment<4>(i - 1)).sum();
  }
  return sum;
}

// Looks up each pixel of the photo on the surface, turned by the pose. `rotation` takes the
// surface's coordinates to the camera's; pixels are `tall` times as high as wide.
Image project(const Plane& radiance, const Plane& relief, const SurfaceGrid& grid,
              const Placement& placement, const Eigen::Matrix3d& rotation, Size size, double tall) {
  // Cells (column, row) as an affine function of pixels, for a flat face, and what height adds.
  Eigen::Matrix2d cells;
  cells << 1.0 / grid.pitch, 0.0, 0.0, -1.0 / grid.pitch;
  const Eigen::Matrix2d unturn = cells * rotation.topLeftCorner<2, 2>().inverse();
  const Eigen::Vector2d border(-grid.left / grid.pitch - 0.5, grid.top / grid.pitch - 0.5);
  const Eigen::Vector2f parallax = (unturn * rotation.topRightCorner<2, 1>()).cast<float>();
  const Eigen::Vector2d first = unturn * placement.to_face(0.5, 0.5 * tall) + border;
  const Eigen::Vector2d per_col = unturn * placement.to_face(1.5, 0.5 * tall) + border - first;
  const Eigen::Vector2f per_row =
      (unturn * placement.to_face(0.5, 1.5 * tall) + border - first).cast<float>();
  Image image(size.rows, size.cols);
  for (Index c = 0; c < size.cols; ++c) {
    const Eigen::Vector2f top = (first + static_cast<double>(c) * per_col).cast<float>();
    for (Index r = 0; r < size.rows; ++r) {
      const Eigen::Vector2f flat = top + static_cast<float>(r) * per_row;
      Eigen::Vector2f at = flat;
      // Where the ray meets the surface: two steps are plenty for the few degrees allowed.
      for (int step = 0; step < 2; ++step) {
        at = flat - interpolate_linear(relief, at.y(), at.x()) * parallax;
      }
      image(r, c) = interpolate_cubic(radiance, at.y(), at.x());
    }
  }
  return image;
}

// The camera meters the middle of the face and makes up for most, not all, of what it finds.
double metered_gain(const Plane& radiance, const SurfaceGrid& grid) {
  const auto row_of = [&](double y) {
    const auto row = static_cast<Index>((grid.top - y) / grid.pitch);
    return std::clamp<Index>(row, 0, grid.rows - 1);
  };
  const auto col_of = [&](double x) {
    const auto col = static_cast<Index>((x - grid.left) / grid.pitch);
    return std::clamp<Index>(col, 0, grid.cols - 1);
  };
  const Index top = row_of(0.4);
  const Index left = col_of(-0.7);
  const double mean =
      radiance.block(top, left, row_of(-1.3) - top + 1, col_of(0.7) - left + 1).mean();
  constexpr double kMiddle = 0.45;
  return std::pow(std::max(mean, 0.02) / kMiddle, -0.75);
}

// Bright values are compressed as by a camera instead of being cut off.
double film(double value) {
  constexpr double kKnee = 0.75;
  return value < kKnee ? value : 1.0 - (1.0 - kKnee) * std::exp(-(value - kKnee) / (1.0 - kKnee));
}

void expose(Image& image, double gain, double noise, Random& random) {
  for (double& value : image.reshaped()) {
    const double exposed = film(gain * std::max(value, 0.0));
    // Half of the variance at middle grey is the sensor's, half grows with the light.
    const double deviation = noise * std::sqrt(0.5 + exposed);
    value = noise > 0.0 ? std::clamp(exposed + deviation * random.normal(), 0.0, 1.0) : exposed;
  }
}

}  // namespace

void SyntheticPhotoOptions::check() const {
  frame.check();
  if (size.rows < 1 || size.cols < 1 || size.rows > 4000 || size.cols > 4000) {
    throw Error("The size of a synthetic photo must be 1 to 4000 pixels a side, not {}.",
                to_string(size));
  }
  check_range("The height over width of a pixel", "a synthetic photo", pixel_height(*this), 0.8,
              1.25);
  const double distance = eye_distance(wanted_eyes(*this));
  if (distance < 10.0) {
    throw Error(
        "A synthetic photo of {} has {:.1f} pixels between the eyes, but needs 10: make it larger "
        "and degrade it.",
        to_string(size), distance);
  }
  if (lighting) lighting->check();
  check_range("light_spread", "a synthetic photo", light_spread, 0.0, 90.0);
  check_range("pose", "a synthetic photo", pose, 0.0, 10.0);
  check_range("alignment", "a synthetic photo", alignment, 0.0, 0.2);
  check_range("shift", "a synthetic photo", shift, 0.0, 1.0);
  check_range("roll", "a synthetic photo", roll, 0.0, 30.0);
  check_range("scale", "a synthetic photo", scale, 0.0, 0.3);
  check_range("expression", "a synthetic photo", expression, 0.0, 1.0);
  check_range("exposure", "a synthetic photo", exposure, 0.0, 1.0);
  check_range("noise", "a synthetic photo", noise, 0.0, 0.5);
}

SyntheticPhoto take_photo(const SyntheticPerson& person, const SyntheticPhotoOptions& options,
                          std::uint64_t photo) {
  options.check();
  Random random(person.key, photo);
  SyntheticPhoto result;
  result.lighting =
      options.lighting ? *options.lighting : random_lighting(random, options.light_spread);
  const Placement placement = place_face(options, random);
  const double yaw = options.pose * kRadians * bounded_normal(random);
  const double pitch = options.pose * kRadians * bounded_normal(random);
  const Eigen::Matrix3d rotation = (Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitX()) *
                                    Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitY()))
                                       .toRotationMatrix();
  const Expression expression = draw_expression(options.expression, random);
  const Surroundings surroundings = draw_surroundings(random);
  const double tall = pixel_height(options);
  const SurfaceGrid grid = grid_behind(placement, static_cast<double>(options.size.cols),
                                       tall * static_cast<double>(options.size.rows));
  const FaceSurface surface = make_surface(person, expression, surroundings, grid);
  const Plane radiance = shade(surface, grid.pitch, result.lighting, rotation.transpose());
  result.image = project(radiance, surface.relief, grid, placement, rotation, options.size, tall);
  const double gain =
      metered_gain(radiance, grid) * std::exp(options.exposure * bounded_normal(random));
  expose(result.image, gain, options.noise, random);
  const Eigen::Vector3d half_right = 0.5 * rotation.col(0);
  result.eyes.left = placement.to_photo(-half_right.x(), -half_right.y());
  result.eyes.right = placement.to_photo(half_right.x(), half_right.y());
  result.eyes.left.y /= tall;
  result.eyes.right.y /= tall;
  return result;
}

Matrix take_photos(std::uint64_t seed, Index first, Index count,
                   const SyntheticPhotoOptions& options, std::uint64_t photo) {
  options.check();
  if (first < 0 || count < 0) {
    throw Error("Synthetic people are counted from 0, not {} people from number {} on.", count,
                first);
  }
  Matrix photos(options.size.pixels(), count);
  parallel_for(count, [&](Index i) {
    photos.col(i) = take_photo(make_person(seed, first + i), options, photo).image.reshaped();
  });
  return photos;
}

}  // namespace longshot
