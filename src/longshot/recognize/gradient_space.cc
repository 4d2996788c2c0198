// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/gradient_space.h"

#include <cmath>

#include "longshot/core/error.h"

namespace longshot {
namespace {

constexpr Index kNumbers = 17;  // that are not matrices

Matrix to_sizes(const std::vector<Size>& sizes) {
  Matrix values(2, static_cast<Index>(sizes.size()));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    values.col(static_cast<Index>(i)) << static_cast<double>(sizes[i].rows),
        static_cast<double>(sizes[i].cols);
  }
  return values;
}

[[noreturn]] void refuse(const std::string& name) {
  throw Error("The model is damaged: \"{}\" is not a space of gradients.", name);
}

Index whole(double value, const std::string& name) {
  if (!(value >= 1.0 && value <= static_cast<double>(kLargestImageSide)) ||
      value != std::floor(value)) {
    refuse(name);
  }
  return static_cast<Index>(value);
}

}  // namespace

GradientSpace::GradientSpace(const FaceGeometry& geometry, const LifeTable& table)
    : options_(table.gradients),
      size_(geometry.low),
      frame_(geometry.frame),
      registration_(geometry.registration) {
  prepare();
  const LifeTable::Entry& entry = table.nearest(size_);
  const Vector hidden = 1.0 - gradients_->visible().array();
  const Vector mean = (table.basis.transpose() * entry.mean).cwiseProduct(hidden);
  projection_ = entry.directions * table.basis;
  offset_ = entry.directions * entry.mean - projection_ * mean;
  between_ = entry.between;
}

void GradientSpace::prepare() {
  gradients_ = std::make_shared<const GradientOrientations>(options_, size_, frame_, registration_);
}

Matrix GradientSpace::coordinates(const MatrixRef& images) const {
  const Matrix features = gradients_->features(images);
  Matrix result = projection_ * features;
  result.colwise() -= offset_;
  for (Index j = 0; j < result.cols(); ++j) {
    if (features.col(j).isZero(0.0)) result.col(j).setZero();
  }
  return result;
}

void GradientSpace::save(ModelState& state, const std::string& name) const {
  Vector numbers(kNumbers);
  numbers << static_cast<double>(options_.grid.rows), static_cast<double>(options_.grid.cols),
      static_cast<double>(options_.directions), static_cast<double>(options_.window),
      options_.floor, options_.overlap, static_cast<double>(size_.rows),
      static_cast<double>(size_.cols), frame_.eyes.left.x, frame_.eyes.left.y, frame_.eyes.right.x,
      frame_.eyes.right.y, frame_.aspect, registration_.dx, registration_.dy, registration_.log_x,
      registration_.log_y;
  state.set(name + ".numbers", numbers);
  state.set(name + ".cells", to_sizes(options_.cells));
  state.set(name + ".projection", projection_);
  state.set(name + ".offset", offset_);
  state.set(name + ".between", between_);
}

GradientSpace GradientSpace::load(const ModelState& state, const std::string& name) {
  const Matrix& numbers = state.matrix(name + ".numbers");
  const Matrix& cells = state.matrix(name + ".cells");
  if (numbers.size() != kNumbers || !numbers.allFinite() || cells.rows() != 2 || cells.cols() < 1 ||
      cells.cols() > 10) {
    refuse(name);
  }
  GradientSpace space;
  const auto at = [&](Index i) { return numbers.reshaped()(i); };
  space.options_.grid = {whole(at(0), name), whole(at(1), name)};
  space.options_.directions = whole(at(2), name);
  space.options_.window = whole(at(3), name);
  space.options_.floor = at(4);
  space.options_.overlap = at(5);
  space.options_.cells.clear();
  for (const auto& size : cells.colwise()) {
    space.options_.cells.push_back({whole(size(0), name), whole(size(1), name)});
  }
  space.size_ = {whole(at(6), name), whole(at(7), name)};
  space.frame_ = {{{at(8), at(9)}, {at(10), at(11)}}, at(12)};
  space.registration_ = {at(13), at(14), at(15), at(16)};
  space.prepare();
  space.projection_ = state.matrix(name + ".projection");
  space.offset_ = state.matrix(name + ".offset").reshaped();
  space.between_ = state.matrix(name + ".between").reshaped();
  const Index d = space.between_.size();
  if (d < 1 || space.projection_.rows() != d || space.offset_.size() != d ||
      space.projection_.cols() != space.gradients_->dimensions() ||
      !space.projection_.allFinite() || !space.offset_.allFinite() ||
      !(space.between_.array() >= 0.0).all() || !space.between_.allFinite()) {
    refuse(name);
  }
  return space;
}

}  // namespace longshot
