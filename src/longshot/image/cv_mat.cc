// SPDX-License-Identifier: Apache-2.0
// OpenCV's conversion header needs Eigen before it, which cv_mat.h brings.
#include "longshot/image/cv_mat.h"

#include <opencv2/core/eigen.hpp>

namespace longshot {

cv::Mat to_cv_bytes(const Image& image) {
  // Columns of ours are rows of OpenCV's, which turns bytes faster than numbers.
  const cv::Mat columns(static_cast<int>(image.cols()), static_cast<int>(image.rows()), CV_64F,
                        const_cast<double*>(image.data()));
  cv::Mat bytes;
  columns.convertTo(bytes, CV_8U, 255.0);  // what is beyond is clipped
  return bytes.t();
}

Image to_image(const cv::Mat& plane) {
  Image image;
  cv::cv2eigen(plane, image);
  return image;
}

}  // namespace longshot
