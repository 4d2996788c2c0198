// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "longshot/picture.h"

namespace longshot::v0 {

// One face of a picture.
struct FoundFace {
  Box box;  // about brow to chin; a part of it may lie outside the picture
  Eyes eyes;
  double eye_error = 0.0;  // expected distance of an eye from its place, in eye distances
  double likeness = 0.0;   // probability that this is a face, 0 to 1
  double quality = 0.0;    // how much a recogniser can see on it, 0 to 1
  bool operator==(const FoundFace&) const = default;
};

struct FaceOptions {
  std::filesystem::path detector;   // a YuNet model; empty: the Haar cascades of the system
  double least_eye_distance = 3.5;  // pixels, 2 to 1000: smaller faces are not looked for
  double least_likeness = 0.5;      // 0 to 1: what is less likely to be a face is none
};

// All upright, roughly frontal faces of a picture, larger before smaller; none if there is none.
// What the picture says about its face is not used. Throws Error if it cannot be read.
LONGSHOT_API std::vector<FoundFace> find_faces(const Picture& picture,
                                               const FaceOptions& options = {});

// Where the eyes are in a face crop of that size, as Gallery and cut_out_faces() cut it out.
LONGSHOT_API Eyes eyes_in_crop(Size crop);

// These faces of the picture as grey crops, upright, at their own size: as many pixels as they have
// in the picture, but at most `largest`.
LONGSHOT_API std::vector<Plane> cut_out_faces(const Picture& picture,
                                              const std::vector<FoundFace>& faces,
                                              Size largest = {240, 200});

}  // namespace longshot::v0
