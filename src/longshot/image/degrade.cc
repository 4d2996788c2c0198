// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/degrade.h"

#include <charconv>
#include <cmath>

#include "longshot/core/error.h"
#include "longshot/core/random.h"
#include "longshot/image/resize.h"

namespace longshot {
namespace {

constexpr double kLargestBlurFactor = 10.0;

Matrix axis_weights(const DegradeOperator& op, Index in, Index out) {
  const double factor = static_cast<double>(in) / static_cast<double>(out);
  if (op.blur_factor >= 0.0) {
    return area_weights(in, out) * gauss_blur_weights(in, op.blur_factor * factor);
  }
  switch (op.kind) {
    case OperatorKind::kImresize:
      return imresize_weights(in, out);
    case OperatorKind::kArea:
      return area_weights(in, out);
    case OperatorKind::kGauss:
      // Brings an image of 0.5 pixels blur to 0.5 low-resolution pixels.
      return linear_weights(in, out) *
             gauss_blur_weights(in, 0.5 * std::sqrt(std::max(0.0, factor * factor - 1.0)));
  }
  throw Error("Unknown degradation operator.");
}

}  // namespace

DegradeOperator parse_operator(std::string_view text) {
  if (text == "imresize") return {OperatorKind::kImresize};
  if (text == "area") return {OperatorKind::kArea};
  if (text == "gauss") return {OperatorKind::kGauss};
  if (text.starts_with("gauss:")) {
    const std::string_view number = text.substr(6);
    double factor = -1.0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), factor);
    if (error == std::errc() && end == number.data() + number.size() && factor >= 0.0 &&
        factor <= kLargestBlurFactor) {
      return {OperatorKind::kGauss, factor};
    }
  }
  throw Error(
      "\"{}\" is not an operator: use imresize, area, gauss or gauss:S with S from 0 to {}.", text,
      kLargestBlurFactor);
}

std::string to_string(const DegradeOperator& op) {
  switch (op.kind) {
    case OperatorKind::kImresize:
      return "imresize";
    case OperatorKind::kArea:
      return "area";
    case OperatorKind::kGauss:
      break;
  }
  return op.blur_factor >= 0.0 ? fmt::format("gauss:{}", op.blur_factor) : "gauss";
}

Degrader::Degrader(const DegradeOperator& op, Size from, Size to,
                   const Registration& registration) {
  if (from.rows < 1 || from.cols < 1 || to.rows < 1 || to.cols < 1) {
    throw Error("Cannot bring {} to {}: both sizes need at least one pixel.", to_string(from),
                to_string(to));
  }
  rows_ = axis_weights(op, from.rows, to.rows);
  columns_ = axis_weights(op, from.cols, to.cols);
  if (registration == Registration()) return;
  rows_ *=
      move_weights(from.rows, registration.dy * static_cast<double>(from.rows), registration.log_y);
  columns_ *=
      move_weights(from.cols, registration.dx * static_cast<double>(from.cols), registration.log_x);
}

Image Degrader::apply(const Image& image) const {
  if (size_of(image) != from()) {
    throw Error("The image is {}, but {} is expected.", to_string(size_of(image)),
                to_string(from()));
  }
  return rows_ * image * columns_.transpose();
}

Image Degrader::adjoint(const Image& image) const {
  if (size_of(image) != to()) {
    throw Error("The image is {}, but {} is expected.", to_string(size_of(image)), to_string(to()));
  }
  return rows_.transpose() * image * columns_;
}

Matrix Degrader::apply_columns(const MatrixRef& images) const {
  if (images.rows() != from().pixels()) {
    throw Error("The images have {} pixels, but {} is expected.", images.rows(), to_string(from()));
  }
  const Index count = images.cols();
  // All rows in one product: the images side by side are one wide image of from.rows rows.
  const Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> wide(
      images.data(), from().rows, from().cols * count, Eigen::OuterStride<>(from().rows));
  const bool contiguous = images.outerStride() == images.rows();
  const Matrix shrunk_rows =
      contiguous ? Matrix(rows_ * wide)
                 : Matrix(rows_ * Matrix(images).reshaped(from().rows, from().cols * count));
  Matrix result(to().pixels(), count);
  for (Index k = 0; k < count; ++k) {
    result.col(k).reshaped(to().rows, to().cols).noalias() =
        shrunk_rows.middleCols(k * from().cols, from().cols) * columns_.transpose();
  }
  return result;
}

Image degrade(const Image& image, Size to, const DegradeOperator& op) {
  check_image(image, "The image to degrade");
  return Degrader(op, size_of(image), to).apply(image);
}

Image add_noise(const Image& image, double sigma, std::uint64_t seed, bool clip) {
  if (!(sigma >= 0.0) || !std::isfinite(sigma)) {
    throw Error("The noise must be 0 or more, not {}.", sigma);
  }
  Random random(seed);
  Image noisy = image;
  for (double& value : noisy.reshaped()) value += sigma * random.normal();
  if (clip) noisy = noisy.cwiseMax(0.0).cwiseMin(1.0);
  return noisy;
}

}  // namespace longshot
