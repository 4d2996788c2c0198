// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/resize.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace longshot {
namespace {

// Keys (1981), equation 15, a = -1/2.
double keys_cubic(double t) {
  t = std::abs(t);
  if (t <= 1.0) return (1.5 * t - 2.5) * t * t + 1.0;
  if (t <= 2.0) return ((-0.5 * t + 2.5) * t - 4.0) * t + 2.0;
  return 0.0;
}

// -1 -> 0, -2 -> 1, count -> count - 1, and so on, also for supports wider than the signal.
Index reflect(Index j, Index count) {
  const Index period = 2 * count;
  j = (j % period + period) % period;
  return j < count ? j : period - 1 - j;
}

double source_coordinate(Index i, Index in, Index out) {
  return (static_cast<double>(i) + 0.5) * static_cast<double>(in) / static_cast<double>(out) - 0.5;
}

// `centre_of(i)` is the input coordinate of output i.
template <typename Centre, typename Kernel>
Matrix kernel_weights(Index in, Index out, const Centre& centre_of, double support,
                      const Kernel& kernel) {
  assert(in > 0 && out > 0);
  Matrix weights = Matrix::Zero(out, in);
  for (Index i = 0; i < out; ++i) {
    const double centre = centre_of(i);
    const auto first = static_cast<Index>(std::floor(centre - support));
    const auto last = static_cast<Index>(std::ceil(centre + support));
    for (Index j = first; j <= last; ++j) {
      weights(i, reflect(j, in)) += kernel(centre - static_cast<double>(j));
    }
    weights.row(i) /= weights.row(i).sum();
  }
  return weights;
}

}  // namespace

Matrix imresize_weights(Index in, Index out) {
  return imresize_weights(in, out, 0.0, 1.0);
}

Matrix imresize_weights(Index in, Index out, double begin, double end) {
  assert(begin < end);
  const double shown = (end - begin) * static_cast<double>(in);
  const double step = shown / static_cast<double>(out);
  const double factor = std::max(1.0, step);
  const double first = begin * static_cast<double>(in);
  const auto centre = [&](Index i) {
    return first + (static_cast<double>(i) + 0.5) * shown / static_cast<double>(out) - 0.5;
  };
  return kernel_weights(in, out, centre, 2.0 * factor,
                        [&](double t) { return keys_cubic(t / factor); });
}

Matrix area_weights(Index in, Index out) {
  assert(in > 0 && out > 0);
  const double factor = static_cast<double>(in) / static_cast<double>(out);
  Matrix weights = Matrix::Zero(out, in);
  for (Index i = 0; i < out; ++i) {
    const double begin = static_cast<double>(i) * factor;
    const double end = begin + factor;
    for (auto j = static_cast<Index>(begin); j < in && static_cast<double>(j) < end; ++j) {
      const auto left = static_cast<double>(j);
      weights(i, j) = std::max(0.0, std::min(end, left + 1.0) - std::max(begin, left));
    }
    weights.row(i) /= weights.row(i).sum();
  }
  return weights;
}

Matrix gauss_blur_weights(Index in, double sigma) {
  if (!(sigma > 0.0)) return Matrix::Identity(in, in);
  const double support = 3.0 * sigma;
  const auto centre = [](Index i) { return static_cast<double>(i); };
  return kernel_weights(in, in, centre, support, [&](double t) {
    return std::abs(t) <= support ? std::exp(-0.5 * t * t / (sigma * sigma)) : 0.0;
  });
}

Matrix linear_weights(Index in, Index out) {
  Matrix weights = Matrix::Zero(out, in);
  for (Index i = 0; i < out; ++i) {
    const double at = std::clamp(source_coordinate(i, in, out), 0.0, static_cast<double>(in - 1));
    const auto left = std::min(static_cast<Index>(at), std::max<Index>(0, in - 2));
    const double fraction = at - static_cast<double>(left);
    weights(i, left) = 1.0 - fraction;
    if (left + 1 < in) weights(i, left + 1) = fraction;
  }
  return weights;
}

}  // namespace longshot
