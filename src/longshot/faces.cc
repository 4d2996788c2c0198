// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/face/face_finder.h"
#include "longshot/face/size_ladder.h"
#include "longshot/image/align.h"

namespace longshot::v0 {

std::vector<FoundFace> find_faces(const Picture& picture, const FaceOptions& options) {
  return door::translated([&] {
    FindOptions finding;
    finding.least_eye_distance = options.least_eye_distance;
    finding.least_likeness = options.least_likeness;
    finding.check();
    std::vector<FoundFace> faces;
    for (const longshot::FoundFace& face :
         shared_finder(options.detector)->find(door::image_of(picture), finding)) {
      faces.push_back(door::outer(face));
    }
    return faces;
  });
}

Eyes eyes_in_crop(Size crop) {
  return door::outer(eyes_in_pixels(FaceFrame(), door::inner(crop)));
}

std::vector<Plane> cut_out_faces(const Picture& picture, const std::vector<FoundFace>& faces,
                                 Size largest) {
  return door::translated([&] {
    if (largest.rows < 1 || largest.cols < 1) {
      throw Error("A face crop has at least one pixel, not {}.", to_string(largest));
    }
    const Image photo = door::image_of(picture);
    std::vector<Plane> crops;
    for (const FoundFace& face : faces) {
      const longshot::Eyes eyes = door::inner(face.eyes);
      const longshot::Size own = size_of_face(eyes, FaceFrame());
      const longshot::Size size = {std::min<Index>(own.rows, largest.rows),
                                   std::min<Index>(own.cols, largest.cols)};
      crops.push_back(door::outer(align_face(photo, eyes, FaceFrame(), size)));
    }
    return crops;
  });
}

}  // namespace longshot::v0
