// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/experiment_relighting.h"

#include <algorithm>
#include <utility>

#include "longshot/evaluate/statistics.h"

namespace longshot {
namespace {

// Albedo and relit images have no natural white; the brightest hundredth of the face becomes white.
double white_level(const Vector& values) {
  return std::max(percentile({values.data(), static_cast<std::size_t>(values.size())}, 99.0), 1e-9);
}

Image picture(const VectorRef& values, double white, Size size) {
  return (values / white).cwiseMax(0.0).cwiseMin(1.0).reshaped(size.rows, size.cols);
}

}  // namespace

std::vector<ShownRelighting> show_relightings(const Relighter& relighter,
                                              const ExperimentFaces& faces,
                                              const std::vector<Index>& samples, Index count) {
  std::vector<ShownRelighting> shown;
  const auto available = static_cast<Index>(samples.size());
  const Index wanted = std::min(count, available);
  for (Index k = 0; k < wanted; ++k) {
    ShownRelighting one;
    one.sample = samples[static_cast<std::size_t>(k * available / wanted)];
    const RelitSet relit =
        relighter.relight(faces.high_faces[static_cast<std::size_t>(one.sample)]);
    one.estimated = light_direction(relit.light.source);
    one.albedo = picture(relit.albedo.albedo, white_level(relit.albedo.albedo), faces.high);
    const double white = white_level(relit.images.rowwise().maxCoeff());
    for (Index i = 0; i < relit.images.cols(); ++i) {
      const RelitLabel& label = relighter.labels()[static_cast<std::size_t>(i)];
      if (label.flipped || label.original) continue;
      one.lights.push_back(label.light);
      one.images.push_back(picture(relit.images.col(i), white, faces.high));
    }
    shown.push_back(std::move(one));
  }
  return shown;
}

}  // namespace longshot
