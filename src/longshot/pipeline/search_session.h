// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "longshot/core/progress.h"
#include "longshot/decide/calibration.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/face_intake.h"
#include "longshot/pipeline/gallery_search.h"

namespace longshot {

// The default of identify and verify.
inline constexpr const char* kDefaultMethod = "longshot";

// All that recognising at one size needs. Making one learns, indexes and calibrates what is missing
// and keeps it in the gallery, so the first time takes longer.
class SearchSession {
 public:
  // Throws Error if nobody is enrolled.
  SearchSession(GalleryStore& gallery, const std::string& method, Size size,
                const std::optional<Camera>& camera = {}, Progress& progress = no_progress());

  // Probes (N_L x n) of that camera as the gallery would have shown them.
  Matrix corrected(const MatrixRef& probes) const;

  const GalleryModel& model() const { return model_; }
  const GallerySearch& search() const { return search_; }
  const Calibration& calibration() const { return calibration_; }

 private:
  std::optional<Camera> camera_;
  GalleryModel model_;
  GallerySearch search_;
  Calibration calibration_;
};

// How probes are read for a gallery.
IntakeOptions intake_for(const GalleryStore& gallery, const std::filesystem::path& detector);

}  // namespace longshot
