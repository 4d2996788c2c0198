// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/core/progress.h"
#include "longshot/evaluate/experiment.h"

namespace longshot {

// The faces of an experiment, read once.
struct ExperimentFaces {
  Size high;
  FaceFrame frame;
  std::vector<Image> high_faces;    // by sample; empty where the image could not be used
  std::vector<Image> native_faces;  // likewise, only where the probes' own size is asked for
  Size native;                      // their common size, at most the high one; or 0x0
  std::vector<Rejection> rejections;
};

// Throws Error if no image can be used.
ExperimentFaces read_experiment_faces(const Dataset& dataset, const ProtocolPlan& plan,
                                      const ExperimentOptions& options, Progress& progress);

// The plan without samples that could not be read.
ProtocolPlan without_rejected(const ProtocolPlan& plan, const ExperimentFaces& faces);

// N_H x n: the faces of those samples, one per column.
Matrix columns_of(const std::vector<Image>& faces, const std::vector<Index>& samples);

}  // namespace longshot
