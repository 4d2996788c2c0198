// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/crop_judge.h"

#include <cmath>
#include <string_view>

#include "longshot/feature/face_grid.h"
#include "longshot/feature/life_network.h"

namespace longshot {
namespace assets {
std::string_view crop_judge();
}

namespace {

// The fewer pixels, the less can be told: odds for this many, and what each doubling adds.
constexpr double kSmallCrop = 42.0;
constexpr double kLogOddsOfSmall = -3.9;
constexpr double kLogOddsPerDoubling = 0.75;

const ConvolutionNetwork& crop_network() {
  static const ConvolutionNetwork network(assets::crop_judge());
  return network;
}

}  // namespace

std::optional<double> face_log_odds(const Image& crop) {
  // It is shown as it is: whatever the crop's frame is, it fills the grid.
  const FaceGrid grid(size_of(crop), FaceFrame(), {}, crop_network().grid());
  const std::optional<Matrix> said = crop_network().see(grid.apply(crop.reshaped()));
  if (!said) return std::nullopt;
  return said->row(0).mean();
}

bool is_no_face(const Image& crop) {
  const double doublings = std::log2(static_cast<double>(crop.size()) / kSmallCrop);
  return face_log_odds(crop).value_or(0.0) < kLogOddsOfSmall + kLogOddsPerDoubling * doublings;
}

}  // namespace longshot
