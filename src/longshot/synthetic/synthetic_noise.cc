// SPDX-License-Identifier: Apache-2.0
#include "longshot/synthetic/synthetic_canvas.h"

namespace longshot {
namespace {

// In [-1, 1) at a point of the integer lattice.
float lattice_value(std::uint64_t key, std::int32_t i, std::int32_t j) {
  std::uint64_t h = key ^ (static_cast<std::uint64_t>(static_cast<std::uint32_t>(i)) << 32U |
                           static_cast<std::uint32_t>(j));
  h = (h ^ (h >> 31U)) * 0x9e3779b97f4a7c15ULL;
  h = (h ^ (h >> 29U)) * 0xbf58476d1ce4e5b9ULL;
  return static_cast<float>(static_cast<std::int32_t>(h >> 32U)) * 0x1.0p-31F;
}

float ease(float t) {
  return t * t * (3.0F - 2.0F * t);
}

}  // namespace

float value_noise(std::uint64_t key, float x, float y) {
  const float fx = std::floor(x);
  const float fy = std::floor(y);
  const auto i = static_cast<std::int32_t>(fx);
  const auto j = static_cast<std::int32_t>(fy);
  const float u = ease(x - fx);
  const float v = ease(y - fy);
  const float low = (1.0F - u) * lattice_value(key, i, j) + u * lattice_value(key, i + 1, j);
  const float high =
      (1.0F - u) * lattice_value(key, i, j + 1) + u * lattice_value(key, i + 1, j + 1);
  return (1.0F - v) * low + v * high;
}

Plane value_noise(std::uint64_t key, const Eigen::ArrayXf& x, const Eigen::ArrayXf& y) {
  const Eigen::ArrayXf fx = x.floor();
  const Eigen::ArrayXf fy = y.floor();
  const auto left = static_cast<std::int32_t>(fx.minCoeff());
  const auto bottom = static_cast<std::int32_t>(fy.minCoeff());
  const Index across = static_cast<Index>(fx.maxCoeff()) - left + 2;
  const Index up = static_cast<Index>(fy.maxCoeff()) - bottom + 2;
  Plane lattice(up, across);
  for (Index i = 0; i < across; ++i) {
    for (Index j = 0; j < up; ++j) {
      lattice(j, i) = lattice_value(key, left + static_cast<std::int32_t>(i),
                                    bottom + static_cast<std::int32_t>(j));
    }
  }
  const Eigen::ArrayXf v = (y - fy).unaryExpr(&ease);
  const Eigen::ArrayXi rows = fy.cast<int>() - bottom;
  Plane noise(y.size(), x.size());
  Eigen::ArrayXf column(up);
  for (Index c = 0; c < x.size(); ++c) {
    const float u = ease(x(c) - fx(c));
    const auto i = static_cast<Index>(fx(c)) - left;
    column = (1.0F - u) * lattice.col(i) + u * lattice.col(i + 1);
    for (Index r = 0; r < y.size(); ++r) {
      noise(r, c) = (1.0F - v(r)) * column(rows(r)) + v(r) * column(rows(r) + 1);
    }
  }
  return noise;
}

}  // namespace longshot
