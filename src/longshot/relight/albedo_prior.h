// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"
#include "longshot/relight/albedo.h"
#include "longshot/relight/lighting.h"
#include "longshot/relight/normal_map.h"

namespace longshot {

struct AlbedoPriorOptions {
  // With the ambient part: over many photos of many lights it makes the mean better, while in one
  // photo it is easily taken for a shadow.
  LightOptions light = {.ambient = true};
  AlbedoOptions albedo = {};
  int rounds = 3;                 // of estimating all albedos and their statistics, >= 0
  double frontal_degrees = 25.0;  // photos lit within this of the viewing axis start it, 0 .. 90
  Index least_frontal = 5;        // and at least so many, the most frontal ones, >= 1
  bool symmetric = true;          // left and right share their statistics
  double start_deviation = 0.25;  // deviation before the first round, in units of the mean, > 0
  double least_deviation = 0.03;  // of the learnt deviation, in units of the mean, > 0
  double least_mean = 0.05;       // of the learnt mean, in units of its median, > 0

  void check() const;
};

// Mean and variance of the albedo of aligned training photos, one per column (pixels x n), all seen
// in the frame of the map. Starts from the photos that are lit frontally, then alternates between
// the photos' albedos given the statistics and the statistics given the albedos (expectation
// maximisation: a pixel in shadow adds the variance that it leaves open). The mean's median over
// the mask is 1. Throws Error for no photos or a photo that does not fit.
AlbedoPrior learn_albedo_prior(const MatrixRef& photos, const NormalMap& map,
                               const AlbedoPriorOptions& options = {});

}  // namespace longshot
