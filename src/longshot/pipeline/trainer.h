// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/core/progress.h"
#include "longshot/face/face_intake.h"
#include "longshot/pipeline/training_faces.h"

namespace longshot {

struct TrainReport {
  TrainingFaces faces;
  std::vector<Rejection> rejections;  // photos that were left out, in their order
};

// Reads the training people and learns the statistics of their albedo. Several photos of each,
// under the lights in which people will be seen, teach most. Throws Error if there are fewer than
// kFewestPeople people.
TrainReport train(const std::vector<Input>& inputs, const IntakeOptions& options,
                  Progress& progress = no_progress());

// The frame in which the faces of these inputs are best kept: that of the first crop, so that crops
// are used as they are, otherwise ours.
FaceFrame frame_for(const std::vector<Input>& inputs);

}  // namespace longshot
