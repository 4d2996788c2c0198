// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "longshot/recognize/life_space.h"

namespace longshot {

// Evidence of faces in life.
struct LifePart {
  std::string name;  // in models and templates
  LifeSpace space;
  double weight = 0.0;  // of its log-likelihood ratios
};

// Their names, in the order of the parts.
inline constexpr std::array kLifeParts = {"network", "gradients", "face-network"};

// Of network and gradients beside pixels: chosen on people who are neither in the tables nor in any
// test (docs/results.md, "Another day").
inline constexpr double kLifeWeight = 0.08;

// By how much all of them weigh more or less on such days.
double life_weight_on(Days days);

// Network and gradients, and the face network where one is installed and suits the size.
std::vector<LifePart> life_parts(const FaceGeometry& geometry, double weight);

// What they say of people and probes, people x probes, in units of their weight.
Matrix life_evidence(const FaceGeometry& geometry, const std::vector<const PersonImages*>& people,
                     const Matrix& probes);

}  // namespace longshot
