// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/crop_judge.h"

#include <string_view>

#include "longshot/feature/face_grid.h"
#include "longshot/feature/life_network.h"

namespace longshot {
namespace assets {
std::string_view crop_judge();
}

namespace {

// A face that is lost costs more than a name for what is none: faces in hard lights have low odds.
constexpr double kLeastLogOdds = -5.0;

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
  return face_log_odds(crop).value_or(0.0) < kLeastLogOdds;
}

}  // namespace longshot
