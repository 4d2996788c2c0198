// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "longshot/dataset/dataset.h"

namespace longshot {

// The faces of a MATLAB file (version 5 to 7, compressed or not): `fea` holds one face per row, its
// pixels column by column, and `gnd` one whole number per face, the person. Grey values run from 0
// to 255 or, if none exceeds 1.5, from 0 to 1. The size of the faces comes from the variables faceH
// and faceW or rows and cols; without them a square, or one of the sizes usual in this field.
class MatFaces {
 public:
  // Reads the whole file. Throws Error if it is not such a file or is damaged.
  explicit MatFaces(const std::filesystem::path& file);

  Index count() const { return pixels_.cols(); }
  Size size() const { return size_; }
  // One per face.
  const std::vector<std::string>& labels() const { return labels_; }
  // In [0, 1]; 0 <= row < count().
  Image face(Index row) const;

 private:
  // rows*cols x count, one face per column, as in the file: single precision holds 8-bit values
  // exactly, in half the memory.
  MatrixF pixels_;
  double scale_ = 1.0;  // the value that is white
  Size size_;
  std::vector<std::string> labels_;
};

// One sample per face. These files hold crops that are alike by convention, so that the set is
// aligned: to the dataset.json beside it or else to our canonical frame.
Dataset read_mat(const std::filesystem::path& file);

}  // namespace longshot
