// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"
#include "longshot/image/face_frame.h"
#include "longshot/image/shift.h"

namespace longshot {

// Brings crops of any size and frame onto one grid, in which every face lies alike: what was learnt
// from faces on the grid then holds for crops of all kinds. Separable, so that a crop X becomes
// R X C'.
class FaceGrid {
 public:
  // Crops of `size` show `frame`, their faces beside its place by `registration`; the grid shows
  // our canonical frame.
  FaceGrid(Size size, const FaceFrame& frame, const Registration& registration, Size grid);

  Size size() const { return {rows_.cols(), columns_.cols()}; }
  Size grid() const { return {rows_.rows(), columns_.rows()}; }
  // By antialiased cubic interpolation; what the crop does not show mirrors its border.
  Matrix apply(const VectorRef& crop) const;  // N -> grid.rows x grid.cols
  // 1 for the rows and columns of the grid whose centres the crop shows, 0 for the others.
  const Vector& visible_rows() const { return visible_rows_; }
  const Vector& visible_columns() const { return visible_columns_; }

 private:
  Matrix rows_;     // grid.rows x size.rows
  Matrix columns_;  // grid.cols x size.cols
  Vector visible_rows_;
  Vector visible_columns_;
};

}  // namespace longshot
