// SPDX-License-Identifier: Apache-2.0
#pragma once

// For .cc files only: no public header names OpenCV, so that users of the library need not have it.

#include <opencv2/core.hpp>

#include "longshot/image/image.h"

namespace longshot {

// CV_8U, clipped to [0, 1] first, rounded to nearest.
cv::Mat to_cv_bytes(const Image& image);

// One channel of any depth; the values as they are.
Image to_image(const cv::Mat& plane);

}  // namespace longshot
