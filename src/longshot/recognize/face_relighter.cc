// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/face_relighter.h"

#include <utility>

#include "longshot/relight/albedo_prior.h"
#include "longshot/relight/builtin_prior.h"
#include "longshot/relight/mean_face.h"

namespace longshot {

AlbedoPrior trained_albedo(const FaceFrame& frame, Size high, const MatrixRef& trained_high) {
  return learn_albedo_prior(trained_high, normals_of_shape(mean_face_shape(), frame, high));
}

std::optional<AlbedoPrior> known_albedo(AlbedoKnowledge known, const FaceFrame& frame, Size high,
                                        const std::optional<AlbedoPrior>& trained) {
  if (known == AlbedoKnowledge::kLocal) return std::nullopt;
  if (known == AlbedoKnowledge::kTrained && trained) return trained;
  return builtin_albedo_prior(frame, high);
}

std::shared_ptr<const Relighter> make_relighter(const FaceFrame& frame, Size high,
                                                std::optional<AlbedoPrior> prior,
                                                RelightOptions options) {
  RelightModel model;
  model.normals = normals_of_shape(mean_face_shape(), frame, high);
  model.shape = mean_face_shape();
  model.prior = std::move(prior);
  return std::make_shared<Relighter>(std::move(model), std::move(options));
}

}  // namespace longshot
