// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/feature/feature_space.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {

// Features in which photos of one person differ alike in all directions: S^-1/2 f(x), where
//   S = Sw + Sn + Sm + relit Sg + ridge I
// collects what may change between two images of a person: lights (Sw, from real photos; Sg, from
// relit ones), sensor noise (Sn) and registration (Sm).
struct WhiteningOptions {
  Normalisation normalisation = Normalisation::kRootUnitNorm;
  double energy = 0.9999;  // of the principal components that are kept, in (0, 1]
  double noise = 0.02;     // sensor noise to expect, in units of the mean intensity, 0 to 10
  double moved = 0.012;    // registration error to expect, in widths of the crop, 0 to 1
  double relit = 0.03;     // weight of Sg beside training people, 0 to 10
  double generic = 20.0;   // photos that the built-in Sw counts for beside those, 0 to 10^6
  double ridge = 0.0003;   // in units of the mean eigenvalue of the rest, in (0, 1]

  void check() const;
};

// From the training people; without any, from the built-in statistics and the relit photos of the
// people to be enrolled, if they are kFewestPeople at least.
FeatureSpace learn_whitened_space(const TrainingSet& training, const WhiteningOptions& options);

// High-resolution photos (N_H x n) from which to learn how images of a resolution vary over people
// and lights: those of the training people and their mirror images, or what stands in for them.
Matrix representative_photos(const TrainingSet& training);

}  // namespace longshot
