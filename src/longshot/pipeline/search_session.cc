// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/search_session.h"

#include <utility>

#include "longshot/core/error.h"
#include "longshot/pipeline/gallery_calibration.h"

namespace longshot {
namespace {

GalleryModel open_model(GalleryStore& gallery, const std::string& method, Size size,
                        const std::optional<Camera>& camera, Progress& progress) {
  if (gallery.person_count() == 0) {
    throw Error("Nobody is enrolled in {}: enrol people first.", gallery.path().string());
  }
  GalleryModel model = provide_model(gallery, method, size, camera, progress);
  if (!model.recognizer->has_independent_distances() && gallery.person_count() < 2) {
    throw Error("The method {} needs at least two enrolled people.", method);
  }
  complete_index(gallery, model, progress);
  return model;
}

}  // namespace

SearchSession::SearchSession(GalleryStore& gallery, const std::string& method, Size size,
                             const std::optional<Camera>& camera, Progress& progress)
    : camera_(camera),
      model_(open_model(gallery, method, size, camera, progress)),
      search_(gallery, model_, background_of(gallery, BackgroundParts::kPeople)),
      calibration_(provide_calibration(gallery, search_, progress)) {}

Matrix SearchSession::corrected(const MatrixRef& probes) const {
  if (!camera_) return probes;
  return corrected_crops(probes, model_.model.geometry.low, *camera_);
}

IntakeOptions intake_for(const GalleryStore& gallery, const std::filesystem::path& detector) {
  const GallerySetup setup = setup_of(gallery);
  return {setup.frame, setup.high, detector, {}};
}

}  // namespace longshot
