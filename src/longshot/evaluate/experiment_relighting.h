// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "longshot/evaluate/experiment.h"
#include "longshot/evaluate/experiment_faces.h"
#include "longshot/relight/relight.h"

namespace longshot {

// A relighter for the faces of an experiment. kTrained takes the albedo of the training photos
// (N_H x n) as its prior where there are any.
std::shared_ptr<const Relighter> make_relighter(const ExperimentFaces& faces,
                                                const MatrixRef& train_high, RelightOptions options,
                                                AlbedoKnowledge known);

// Up to `count` of the samples, spread evenly over them, under the relighter's lights.
std::vector<ShownRelighting> show_relightings(const Relighter& relighter,
                                              const ExperimentFaces& faces,
                                              const std::vector<Index>& samples, Index count);

}  // namespace longshot
