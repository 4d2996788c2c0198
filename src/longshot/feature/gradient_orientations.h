// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/feature/face_grid.h"

namespace longshot {

// Must be those of the table that was learnt with them (training/gradient_features.py).
struct GradientOptions {
  Size grid = {48, 40};  // that crops are brought to, each side 4 to 500
  Index directions = 8;  // of gradients, 2 to 64
  Index window = 9;      // side of the square of the local energy, odd, 1 to 99
  double floor = 0.05;   // added to the local energy, > 0
  double overlap = 1.0;  // half-width of a cell's triangle in distances of cells, 0.5 to 4
  std::vector<Size> cells = {{11, 9}};  // one or more grids of cells, sides 1 to those of the grid

  void check() const;
  Index dimensions() const;  // of the features
};

// Where and how strongly the grey values of a face rise, whatever its brightness and contrast:
// gradients are sorted by direction, divided by the gradient energy around them and averaged over
// cells; the square roots of these numbers, at zero mean and unit norm, are the features
// (docs/method.md, "Another day").
class GradientOrientations {
 public:
  // For crops of `size` that show `frame`, their faces beside its place by `registration`.
  GradientOrientations(const GradientOptions& options, Size size, const FaceFrame& frame,
                       const Registration& registration = {});

  Index pixels() const { return grid_.size().pixels(); }
  Index dimensions() const { return visible_.size(); }
  // N x n -> d x n. A flat image has the feature 0. Throws Error on a wrong size and on values that
  // are not finite.
  Matrix features(const MatrixRef& images) const;
  // d: 0 for features of places that the crops do not show, which are 0 always; otherwise 1.
  const Vector& visible() const { return visible_; }

 private:
  struct Cells {
    Matrix rows;     // cells.rows x grid.rows
    Matrix columns;  // cells.cols x grid.cols
  };
  Vector features_of(const VectorRef& image) const;

  GradientOptions options_;
  FaceGrid grid_;
  Matrix seen_;            // grid: 1 where the crops show something
  Matrix window_rows_;     // grid.rows x grid.rows
  Matrix window_columns_;  // grid.cols x grid.cols
  std::vector<Cells> cells_;
  Vector visible_;
};

}  // namespace longshot
