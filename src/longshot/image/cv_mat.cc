// SPDX-License-Identifier: Apache-2.0
// OpenCV's conversion header needs Eigen before it, which cv_mat.h brings.
#include "longshot/image/cv_mat.h"

#include <opencv2/core/eigen.hpp>

namespace longshot {

cv::Mat to_cv_bytes(const Image& image) {
  const Matrix scaled = image.cwiseMax(0.0).cwiseMin(1.0) * 255.0;
  cv::Mat real;
  cv::eigen2cv(scaled, real);
  cv::Mat bytes;
  real.convertTo(bytes, CV_8U);
  return bytes;
}

Image to_image(const cv::Mat& plane) {
  Image image;
  cv::cv2eigen(plane, image);
  return image;
}

}  // namespace longshot
