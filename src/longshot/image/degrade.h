// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "longshot/image/image.h"
#include "longshot/image/shift.h"

namespace longshot {

// The paper's B H (blur, then downsample) in the variants that occur in practice.
enum class OperatorKind {
  kImresize,  // Matlab's antialiased bicubic
  kArea,      // mean over each low-resolution pixel
  kGauss,     // Gaussian of 0.5 sqrt(f^2 - 1) pixels, then linear interpolation
};

struct DegradeOperator {
  OperatorKind kind = OperatorKind::kImresize;
  // For "gauss:S": a Gaussian of S times the reduction factor, then area. Negative: not used.
  double blur_factor = -1.0;

  bool operator==(const DegradeOperator&) const = default;
};

// "imresize", "area", "gauss" or "gauss:S" with 0 <= S <= 10; throws Error for anything else.
DegradeOperator parse_operator(std::string_view text);
std::string to_string(const DegradeOperator& op);

// Y = W_r X W_c': B H for one pair of sizes, prepared once. Factors differ between rows and
// columns and need not be whole. Enlarging is allowed.
class Degrader {
 public:
  // The face is moved by `registration` first.
  Degrader(const DegradeOperator& op, Size from, Size to, const Registration& registration = {});

  Image apply(const Image& image) const;    // from -> to
  Image adjoint(const Image& image) const;  // to -> from: <apply(x), y> = <x, adjoint(y)>
  Matrix apply_columns(const MatrixRef& images) const;  // pixels(from) x n -> pixels(to) x n

  Size from() const { return {rows_.cols(), columns_.cols()}; }
  Size to() const { return {rows_.rows(), columns_.rows()}; }

 private:
  Matrix rows_;     // to.rows x from.rows
  Matrix columns_;  // to.cols x from.cols
};

Image degrade(const Image& image, Size to, const DegradeOperator& op = {});

// Adds white Gaussian noise of `sigma` (full scale 1). Noise is added after B H and before any
// normalisation; `clip` keeps the result in [0, 1] as a sensor does.
Image add_noise(const Image& image, double sigma, std::uint64_t seed, bool clip = false);

}  // namespace longshot
