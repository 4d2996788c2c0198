// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/face/detect.h"
#include "longshot/face/search_area.h"
#include "longshot/image/image.h"

namespace longshot {

// One level of a pyramid: the image enlarged or shrunk by `factor`, where boxes of these widths are
// looked for. The levels of an image share all widths among them.
struct PyramidLevel {
  double factor = 1.0;
  BoxRange widths;  // pixels of the level
};

// From the largest faces of an image to those with that many pixels between the eyes; on the last
// level their boxes are `least_width` pixels wide.
std::vector<PyramidLevel> pyramid_levels(Size image, double least_eye_distance, double least_width);

// What the detector proposes on the tiles of a level, in pixels of the image: all boxes that touch
// the area, and others beside it. The image is continued beyond its border, so that faces which
// fill it are seen.
std::vector<FaceProposal> propose_on_level(const cv::Mat& grey, const PyramidLevel& level,
                                           const FaceDetector& detector, bool again,
                                           const SearchArea& area = {});

}  // namespace longshot
