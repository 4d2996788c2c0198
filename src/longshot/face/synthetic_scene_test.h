// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "longshot/core/random.h"
#include "longshot/image/degrade.h"
#include "longshot/synthetic/synthetic_set.h"

namespace longshot {

// A person's portrait with that many pixels between the eyes, and where they are.
inline SyntheticPhoto small_portrait(Index person, double eye_distance_wanted) {
  SyntheticSetOptions set;
  SyntheticPhotoOptions options = portrait_options(set, 0);
  options.noise = 0.0;
  SyntheticPhoto photo = take_photo(make_person(5, person), options, 0);
  const double factor = eye_distance_wanted / eye_distance(photo.eyes);
  const Size size = {std::lround(factor * static_cast<double>(photo.image.rows())),
                     std::lround(factor * static_cast<double>(photo.image.cols()))};
  const double across = static_cast<double>(size.cols) / static_cast<double>(photo.image.cols());
  const double down = static_cast<double>(size.rows) / static_cast<double>(photo.image.rows());
  for (Point* eye : {&photo.eyes.left, &photo.eyes.right}) *eye = {eye->x * across, eye->y * down};
  photo.image = degrade(photo.image, size, {OperatorKind::kArea});
  return photo;
}

// Portraits side by side on a grey ground, with a margin of that many pixels.
inline SyntheticPhoto side_by_side(const std::vector<SyntheticPhoto>& photos, Index margin,
                                   std::vector<Eyes>& eyes) {
  Index rows = 0;
  Index cols = margin;
  for (const SyntheticPhoto& photo : photos) {
    rows = std::max(rows, photo.image.rows());
    cols += photo.image.cols() + margin;
  }
  SyntheticPhoto scene;
  scene.image = Image::Constant(rows + 2 * margin, cols, 0.4);
  Index left = margin;
  for (const SyntheticPhoto& photo : photos) {
    scene.image.block(margin, left, photo.image.rows(), photo.image.cols()) = photo.image;
    const auto moved = [&](const Point& p) -> Point {
      return {p.x + static_cast<double>(left), p.y + static_cast<double>(margin)};
    };
    eyes.push_back({moved(photo.eyes.left), moved(photo.eyes.right)});
    left += photo.image.cols() + margin;
  }
  return scene;
}

}  // namespace longshot
