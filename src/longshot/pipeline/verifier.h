// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "longshot/core/progress.h"
#include "longshot/face/face_intake.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/open_gallery.h"

namespace longshot {

struct VerifyOptions {
  std::string method = kDefaultMethod;  // as in method_names()
  std::optional<Size> size;             // of the probe; nothing: what its pixels fill
  std::optional<Camera> camera;         // that took the images; nothing: none is known
  double fmr = 0.001;                   // accepted rate of false matches, 0 to 1
  std::filesystem::path detector;       // a YuNet model; empty: the Haar cascades of the system

  void check() const;
};

struct Verification {
  std::string person;
  bool match = false;
  double score = 0.0;      // probability of being that person, if as many claims are true as false
  double threshold = 0.0;  // score from which it is a match at that rate
  double margin = 0.0;     // powers of ten of its likelihood ratio above the threshold; match: > 0
  double fmr = 0.0;        // accepted rate of false matches
  Size size;               // at which they were compared
  Index frames = 0;        // images behind the answer
  std::vector<Rejection> rejections;
  std::vector<Rejection> warnings;  // images that were used although something is amiss
};

// Verifies claims. It may be kept for many calls, of any number of threads at once: what was opened
// for a size is used again.
class Verifier {
 public:
  // Throws Error for options that cannot be and a gallery without people.
  Verifier(std::shared_ptr<AskedGallery> gallery, const VerifyOptions& options,
           Progress& progress = no_progress());
  // Opens the gallery once more, for itself alone.
  Verifier(const GalleryStore& gallery, const VerifyOptions& options,
           Progress& progress = no_progress());

  // Do these images, all of one person, show that one? Throws Error if nobody has that name or none
  // of the images can be used.
  Verification verify(const std::vector<Input>& inputs, const std::string& person) const;

 private:
  Size size_for(const std::vector<Image>& faces) const;

  std::shared_ptr<AskedGallery> gallery_;
  VerifyOptions options_;
  Progress& progress_;
  std::unique_ptr<FaceIntake> intake_;  // for several threads at once
};

}  // namespace longshot
