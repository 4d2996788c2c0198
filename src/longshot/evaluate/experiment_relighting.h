// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/evaluate/experiment.h"
#include "longshot/evaluate/experiment_faces.h"
#include "longshot/relight/relight.h"

namespace longshot {

// Up to `count` of the samples, spread evenly over them, under the relighter's lights.
std::vector<ShownRelighting> show_relightings(const Relighter& relighter,
                                              const ExperimentFaces& faces,
                                              const std::vector<Index>& samples, Index count);

}  // namespace longshot
