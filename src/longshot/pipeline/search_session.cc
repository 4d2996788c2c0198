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
    : Session(open_model(gallery, method, size, camera, progress)),
      training_(find_training(gallery)),
      background_(enrol_background(model_, background_of(gallery, BackgroundParts::kPeople))) {
  {
    const GallerySnapshot snapshot(gallery);
    index_ = open_index(gallery, model_, nullptr);
  }
  const GallerySearch search(gallery, model_, background_, index_);
  calibration_ =
      provide_calibration(gallery, FilePeople(gallery), search, Days::kUnknown, progress);
}

bool SearchSession::holds(const GalleryStore& gallery) const {
  return gallery.find_index(model_.key) == index()->number &&
         (still_holds(calibration_, gallery.person_count()) || holds_templates_only(gallery));
}

StateSearch SearchSession::search(const GalleryStore& gallery,
                                  const std::optional<Camera>& camera) const {
  // The snapshot begins under the lock, so that it is never older than the index that is kept.
  const std::lock_guard lock(mutex_);
  auto snapshot = std::make_unique<GallerySnapshot>(gallery);
  index_ = open_index(gallery, model_, index_);
  if (index_->block.searcher) snapshot.reset();
  return {std::move(snapshot), GallerySearch(gallery, model_, background_, index_, camera)};
}

std::shared_ptr<const OpenIndex> SearchSession::index() const {
  const std::lock_guard lock(mutex_);
  return index_;
}

Matrix Session::corrected(const MatrixRef& probes, const std::optional<Camera>& camera) const {
  if (!camera) return probes;
  return corrected_crops(probes, model_.model.geometry.low, *camera);
}

IntakeOptions intake_for(const GalleryStore& gallery, const std::filesystem::path& detector) {
  const GallerySetup setup = setup_of(gallery);
  return {setup.frame, setup.high, detector, {}};
}

}  // namespace longshot
