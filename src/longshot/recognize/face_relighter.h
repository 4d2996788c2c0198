// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "longshot/image/face_frame.h"
#include "longshot/recognize/method.h"
#include "longshot/relight/relight.h"

namespace longshot {

// How photos of one frame and size are relit, the same for a gallery and for an experiment.

// The expected albedo, learnt from photos of training people (N_H x n).
AlbedoPrior trained_albedo(const FaceFrame& frame, Size high, const MatrixRef& trained_high);

// The one that a method is to know. `trained` is that of training people, where there are some.
std::optional<AlbedoPrior> known_albedo(AlbedoKnowledge known, const FaceFrame& frame, Size high,
                                        const std::optional<AlbedoPrior>& trained);

std::shared_ptr<const Relighter> make_relighter(const FaceFrame& frame, Size high,
                                                std::optional<AlbedoPrior> prior,
                                                RelightOptions options);

}  // namespace longshot
