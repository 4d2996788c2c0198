// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "longshot/face/detect.h"
#include "longshot/face/search_area.h"
#include "longshot/image/image.h"

namespace longshot {

// One face of an image.
struct FoundFace {
  Box box;  // about brow to chin; a part of it may lie outside the image
  Eyes eyes;
  double eye_error = 0.0;  // expected distance of an eye from its place, in eye distances
  double likeness = 0.0;   // probability that this is a face, 0 to 1
  double quality = 0.0;    // how much a recogniser can see on it, 0 to 1: see face_quality()
  bool operator==(const FoundFace&) const = default;
};

enum class WhichFaces {
  kAll,
  kMain  // looks no further where large faces were found: small ones may be missing
};

struct FindOptions {
  WhichFaces which = WhichFaces::kAll;
  double least_eye_distance = 3.5;  // pixels, 2 to 1000: smaller faces are not looked for
  double least_likeness = 0.5;      // 0 to 1: what is less likely to be a face is none
  bool again = true;                // where nothing was found, look harder

  void check() const;
};

// Finds upright, roughly frontal faces of any size from a few pixels on: a detector proposes them
// on a pyramid of the image that goes up as well as down, cut into tiles that overlap, so that
// memory stays bounded; a network judges each proposal and finds its eyes. Safe to share among
// threads.
class FaceFinder {
 public:
  // Where the detector finds nothing, a second one is asked, if there is one.
  explicit FaceFinder(std::unique_ptr<FaceDetector> detector,
                      std::unique_ptr<FaceDetector> second = nullptr);

  // Larger before smaller; empty if there is none. Where eyes are expected, such as those of the
  // frame before, is looked first, then in the area alone. Throws Error for an image that cannot
  // be.
  std::vector<FoundFace> find(const Image& photo, const FindOptions& options = {},
                              const std::vector<Eyes>& expected = {},
                              const SearchArea& area = {}) const;
  std::string detector_name() const { return detector_->name(); }

 private:
  std::unique_ptr<FaceDetector> detector_;
  std::unique_ptr<FaceDetector> second_;
};

// The faces at these places alone: a glance, which takes far less time than a search.
std::vector<FoundFace> faces_at(const Image& photo, const std::vector<Eyes>& expected,
                                const FindOptions& options = {});

// The finder with the YuNet network of that file and, second, the system's Haar cascades, or with
// these alone if the path is empty: the same one for all callers of the process. Throws Error if it
// cannot be had.
std::shared_ptr<const FaceFinder> shared_finder(const std::filesystem::path& detector);

// The face that a photo is of: the most prominent one, by size and nearness to the middle.
struct MainFace {
  FoundFace face;
  bool doubtful = false;  // another one is nearly as prominent
};
// `faces` must not be empty.
MainFace main_face(const std::vector<FoundFace>& faces, Size photo);

// The product of four factors from 0 to 1: likeness; pixels, d / (d + 5) with d pixels between the
// eyes; contrast, c / (c + 0.03); and placement, 1 / (1 + (e / 0.15)^2) with the error e of the
// eyes.
double face_quality(double likeness, double eye_distance, double contrast, double eye_error);

}  // namespace longshot
