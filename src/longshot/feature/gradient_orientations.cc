// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/gradient_orientations.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"

namespace longshot {
namespace {

using Array = Eigen::ArrayXXd;

// In units of the image's brightest pixel: less is rounding, not contrast.
constexpr double kLeastContrast = 1e-9;
constexpr double kLeastCube = 1e-12;  // of a gradient's length
// Of a cell's weight, below which it counts as not visible.
constexpr double kLeastVisible = 0.5;

// count x count: the mean over the window around each place, as far as it is visible.
Matrix window_weights(const Vector& visible, Index window) {
  const Index count = visible.size();
  Matrix weights = Matrix::Zero(count, count);
  for (Index i = 0; i < count; ++i) {
    const Index first = std::max<Index>(0, i - window / 2);
    const Index last = std::min(count - 1, i + window / 2);
    weights.row(i).segment(first, last - first + 1) = visible.segment(first, last - first + 1);
    const double sum = weights.row(i).sum();
    if (sum > 0.0) weights.row(i) /= sum;
  }
  return weights;
}

// cells x count: the mean over the visible part of each cell, or 0 of one that is hardly visible.
Matrix cell_weights(const Vector& visible, Index cells, double overlap) {
  const double step = static_cast<double>(visible.size()) / static_cast<double>(cells);
  Matrix weights(cells, visible.size());
  for (Index i = 0; i < cells; ++i) {
    for (Index j = 0; j < visible.size(); ++j) {
      const double away =
          std::abs(static_cast<double>(j) + 0.5 - (static_cast<double>(i) + 0.5) * step);
      weights(i, j) = std::max(0.0, 1.0 - away / (overlap * step));
    }
    const double whole = weights.row(i).sum();
    weights.row(i).array() *= visible.transpose().array();
    const double seen = weights.row(i).sum();
    if (seen < kLeastVisible * whole || whole == 0.0) {
      weights.row(i).setZero();
    } else {
      weights.row(i) /= seen;
    }
  }
  return weights;
}

Array central_differences_across(const Array& x) {
  const Index last = x.cols() - 1;
  Array g(x.rows(), x.cols());
  g.middleCols(1, last - 1) = x.rightCols(last - 1) - x.leftCols(last - 1);
  g.col(0) = x.col(1) - x.col(0);
  g.col(last) = x.col(last) - x.col(last - 1);
  return g;
}

Array central_differences_down(const Array& x) {
  const Index last = x.rows() - 1;
  Array g(x.rows(), x.cols());
  g.middleRows(1, last - 1) = x.bottomRows(last - 1) - x.topRows(last - 1);
  g.row(0) = x.row(1) - x.row(0);
  g.row(last) = x.row(last) - x.row(last - 1);
  return g;
}

const GradientOptions& checked(const GradientOptions& options) {
  options.check();
  return options;
}

}  // namespace

void GradientOptions::check() const {
  const auto refuse = [](const char* field) {
    throw Error("{} of gradients is out of range.", field);
  };
  if (grid.rows < 4 || grid.cols < 4 || grid.rows > 500 || grid.cols > 500) refuse("grid");
  if (directions < 2 || directions > 64) refuse("directions");
  if (window < 1 || window > 99 || window % 2 == 0) refuse("window");
  if (!(floor > 0.0 && floor <= 1e6)) refuse("floor");
  if (!(overlap >= 0.5 && overlap <= 4.0)) refuse("overlap");
  if (cells.empty()) refuse("cells");
  for (const Size& size : cells) {
    if (size.rows < 1 || size.cols < 1 || size.rows > grid.rows || size.cols > grid.cols)
      refuse("cells");
  }
}

Index GradientOptions::dimensions() const {
  Index count = 0;
  for (const Size& size : cells) count += directions * size.pixels();
  return count;
}

GradientOrientations::GradientOrientations(const GradientOptions& options, Size size,
                                           const FaceFrame& frame, const Registration& registration)
    : options_(checked(options)), grid_(size, frame, registration, options.grid) {
  seen_ = grid_.visible_rows() * grid_.visible_columns().transpose();
  window_rows_ = window_weights(grid_.visible_rows(), options.window);
  window_columns_ = window_weights(grid_.visible_columns(), options.window);
  visible_.resize(options.dimensions());
  Index at = 0;
  for (const Size& count : options.cells) {
    cells_.push_back({cell_weights(grid_.visible_rows(), count.rows, options.overlap),
                      cell_weights(grid_.visible_columns(), count.cols, options.overlap)});
    const Matrix sums =
        cells_.back().rows.rowwise().sum() * cells_.back().columns.rowwise().sum().transpose();
    for (Index k = 0; k < options.directions; ++k, at += count.pixels()) {
      visible_.segment(at, count.pixels()) = (sums.array() > 0.0).cast<double>().reshaped();
    }
  }
}

Vector GradientOrientations::features_of(const VectorRef& image) const {
  Vector features = Vector::Zero(dimensions());
  Array grid = grid_.apply(image).array();
  const double seen = seen_.sum();
  grid -= (grid * seen_.array()).sum() / seen;
  const double deviation = std::sqrt((grid.square() * seen_.array()).sum() / seen);
  if (!(deviation > kLeastContrast * image.cwiseAbs().maxCoeff())) return features;
  grid /= deviation;

  const Array across = central_differences_across(grid);
  const Array down = central_differences_down(grid);
  const Array squared = across.square() + down.square();
  const Array cubed = (squared * squared.sqrt()).max(kLeastCube);
  const Index columns = grid.cols();
  // All directions beside each other, so that one product pools the rows of all.
  Array energies(grid.rows(), options_.directions * columns);
  Array sum = Array::Zero(grid.rows(), columns);
  for (Index k = 0; k < options_.directions; ++k) {
    const double angle =
        2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(options_.directions);
    auto energy = energies.middleCols(k * columns, columns);
    energy = (std::cos(angle) * across + std::sin(angle) * down).max(0.0).square().square() / cubed;
    sum += energy;
  }
  const Array local =
      (window_rows_ * sum.matrix() * window_columns_.transpose()).array() + options_.floor;
  for (Index k = 0; k < options_.directions; ++k)
    energies.middleCols(k * columns, columns) /= local;

  Index at = 0;
  for (const Cells& cells : cells_) {
    const Matrix pooled = cells.rows * energies.matrix();
    const Index count = cells.rows.rows() * cells.columns.rows();
    for (Index k = 0; k < options_.directions; ++k, at += count) {
      features.segment(at, count) =
          (pooled.middleCols(k * columns, columns) * cells.columns.transpose())
              .reshaped()
              .cwiseMax(0.0)
              .cwiseSqrt();
    }
  }
  // As if what is not visible were neither more nor less than what is.
  const double visible = visible_.sum();
  features = (features.array() - features.sum() / visible) * visible_.array();
  const double norm = features.norm();
  if (norm > 0.0) features *= std::sqrt(visible / static_cast<double>(dimensions())) / norm;
  return features;
}

Matrix GradientOrientations::features(const MatrixRef& images) const {
  if (images.rows() != pixels()) {
    throw Error("The images have {} pixels, but the model was learnt for {}.", images.rows(),
                pixels());
  }
  if (!images.allFinite()) throw Error("An image holds values that are not finite numbers.");
  Matrix result(dimensions(), images.cols());
  parallel_for(images.cols(), [&](Index j) { result.col(j) = features_of(images.col(j)); });
  return result;
}

}  // namespace longshot
