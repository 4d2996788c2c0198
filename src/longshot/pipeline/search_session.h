// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "longshot/core/progress.h"
#include "longshot/decide/calibration.h"
#include "longshot/face/face_intake.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/gallery_search.h"
#include "longshot/pipeline/training_faces.h"

namespace longshot {

// The default of identify and verify.
inline constexpr const char* kDefaultMethod = "longshot";

// A search in one state of the gallery.
struct StateSearch {
  // Null where the whole state is in memory: then nobody waits for this search to empty the log.
  std::unique_ptr<GallerySnapshot> snapshot;
  GallerySearch search;
};

// All that recognising at one size needs, for any number of threads at once. Making one learns,
// indexes and calibrates what is missing and keeps it in the gallery, so the first time takes
// longer; where nothing is missing it only reads.
class Session {
 public:
  virtual ~Session() = default;

  // Probes (N_L x n) of a camera as the gallery would have shown them.
  Matrix corrected(const MatrixRef& probes, const std::optional<Camera>& camera) const;

  const GalleryModel& model() const { return model_; }
  const Calibration& calibration() const { return calibration_; }  // of any day

 protected:
  explicit Session(GalleryModel model) : model_(std::move(model)) {}

  GalleryModel model_;
  Calibration calibration_;
};

// Of a gallery in one file.
class SearchSession final : public Session {
 public:
  // Throws Error if nobody is enrolled.
  SearchSession(GalleryStore& gallery, const std::string& method, Size size,
                const std::optional<Camera>& camera = {}, Progress& progress = no_progress());

  // False when the model was forgotten, or calibrated for another number of people: make another.
  bool holds(const GalleryStore& gallery) const;

  // Searches what the gallery holds now, whoever changed it, through the caller's connection, which
  // no other thread uses meanwhile. `camera`: which took the probes.
  StateSearch search(const GalleryStore& gallery, const std::optional<Camera>& camera = {}) const;

  // As the last search found it.
  std::shared_ptr<const OpenIndex> index() const;

 private:
  std::shared_ptr<const TrainingFaces> training_;  // held for the sessions at other sizes
  std::shared_ptr<const Searcher> background_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const OpenIndex> index_;  // guarded by mutex_
};

// How probes are read for a gallery.
IntakeOptions intake_for(const GalleryStore& gallery, const std::filesystem::path& detector);

}  // namespace longshot
