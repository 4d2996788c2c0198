// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/face_shape.h"
#include "longshot/synthetic/synthetic_canvas.h"

namespace longshot {
namespace {

// Heights of the mean face, counted from the eyes, on a grid fine enough to interpolate between.
// The shape has many terms and is the same for everybody: they are summed once.
class MeanHeights {
 public:
  MeanHeights() : heights_(kRows, kCols) {
    const FaceShape& shape = mean_face_shape();
    const double at_eyes = shape.at(0.5, 0.0).height;
    for (Index c = 0; c < kCols; ++c) {
      for (Index r = 0; r < kRows; ++r) {
        const double x = kLeft + kStep * static_cast<double>(c);
        const double y = kBottom + kStep * static_cast<double>(r);
        heights_(r, c) = static_cast<float>(shape.at(x, y).height - at_eyes);
      }
    }
  }

  Plane on(const Canvas& canvas) const {
    Plane across(kRows, canvas.cols());
    for (Index c = 0; c < canvas.cols(); ++c) {
      const Place p(canvas.x(c), kLeft, kCols);
      across.col(c) =
          heights_.col(p.first) * p.weights(0) + heights_.col(p.first + 1) * p.weights(1) +
          heights_.col(p.first + 2) * p.weights(2) + heights_.col(p.first + 3) * p.weights(3);
    }
    std::vector<Place> rows;
    for (const float y : canvas.y) rows.emplace_back(y, kBottom, kRows);
    Plane result(canvas.rows(), canvas.cols());
    for (Index c = 0; c < canvas.cols(); ++c) {
      for (Index r = 0; r < canvas.rows(); ++r) {
        const Place& p = rows[static_cast<std::size_t>(r)];
        result(r, c) = (across.col(c).segment<4>(p.first) * p.weights).sum();
      }
    }
    return result;
  }

 private:
  static constexpr double kStep = 0.04;
  static constexpr double kLeft = -3.0;
  static constexpr double kBottom = -4.0;
  static constexpr Index kCols = 151;
  static constexpr Index kRows = 176;

  struct Place {
    Place(float at, double start, Index count) {
      const float position = std::clamp(static_cast<float>((at - start) / kStep), 1.0F,
                                        static_cast<float>(count - 2) - 1e-3F);
      first = static_cast<Index>(position) - 1;
      weights = cubic_weights(position - std::floor(position));
    }
    Index first;
    Eigen::Array4f weights;
  };

  Plane heights_;  // kRows x kCols, row 0 at the bottom
};

void add_pair(std::vector<Bump>& bumps, const Bump& bump) {
  bumps.push_back(bump);
  bumps.push_back({bump.amplitude, -bump.x, bump.y, bump.sigma_x, bump.sigma_y});
}

// What the mean face is too smooth to have: wings of the nose, lips, lids, folds.
void add_details(std::vector<Bump>& bumps, const SyntheticPerson& person,
                 const Expression& expression) {
  const NoseTraits& nose = person.nose;
  const MouthTraits& mouth = person.mouth;
  bumps.push_back({nose.bridge, 0.0, -0.15, 0.09, 0.22});
  bumps.push_back({nose.tip, 0.0, -0.56, 0.11 * nose.width, 0.10});
  add_pair(bumps, {0.065, 0.175 * nose.width, -0.60, 0.055, 0.065});
  add_pair(bumps, {-0.03, 0.27 * nose.width, -0.58, 0.035, 0.09});
  bumps.push_back({-0.012, 0.0, -0.88, 0.030, 0.07});
  add_pair(bumps, {0.30 * mouth.upper, 0.13, kMouth + 0.55 * mouth.upper, 0.13, 0.045});
  const double gap = expression.mouth_open;
  bumps.push_back({0.32 * mouth.lower, 0.0, kMouth - gap - 0.55 * mouth.lower, 0.20, 0.055});
  bumps.push_back({-0.014, 0.0, kMouth - 0.5 * gap, 0.26, 0.025 + 0.3 * gap});
  bumps.push_back({-0.020, 0.0, kMouth - 1.2 * mouth.lower - gap - 0.08, 0.22, 0.05});
  add_pair(bumps, {-0.014, mouth.half_width + 0.03, kMouth, 0.07, 0.08});
  const double fold = 0.008 + 0.014 * person.skin.wrinkle + 0.012 * expression.smile;
  for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    add_pair(bumps, {-0.5 * fold, 0.29 + 0.20 * t * (1.6 - 0.6 * t), -0.66 - 0.36 * t, 0.04, 0.07});
  }
  add_pair(bumps, {0.012 + 0.05 * expression.smile, 0.52, -0.62, 0.18, 0.16});
  add_pair(bumps, {0.022, 0.5, 0.10, 0.20, 0.035});
  add_pair(bumps, {-0.02, 0.5, 0.165, 0.20, 0.025});
  add_pair(bumps, {0.2 * person.eyes.bag, 0.46, -0.14, 0.16, 0.05});
  add_pair(bumps, {-0.03, 0.24, 0.0, 0.05, 0.06});
}

}  // namespace

Plane make_relief_height(const SyntheticPerson& person, const Expression& expression,
                         const Canvas& canvas) {
  static const MeanHeights mean;
  std::vector<Bump> bumps = person.relief;
  add_details(bumps, person, expression);
  return mean.on(canvas) + sum_of_bumps(bumps, canvas);
}

}  // namespace longshot
