// SPDX-License-Identifier: Apache-2.0
#include "longshot/camera/person_images.h"

#include <utility>

#include "longshot/core/error.h"

namespace longshot {
namespace {

// Relit images may reach below black by rounding.
void apply_gamma(Matrix& images, double gamma) {
  if (gamma != 1.0) images = images.array().max(0.0).pow(gamma);
}

}  // namespace

Matrix seen_by_camera(const MatrixRef& photos_high, const FaceGeometry& geometry,
                      const DegradeOperator& op, const Registration& moved) {
  const Registration& own = geometry.registration;
  Matrix images = Degrader(op, geometry.high, geometry.low,
                           {own.dx + moved.dx, own.dy + moved.dy, own.log_x + moved.log_x,
                            own.log_y + moved.log_y})
                      .apply_columns(photos_high);
  apply_gamma(images, geometry.gamma);
  return images;
}

Matrix Extender::degrade(const MatrixRef& images_high) const {
  Matrix images = degrader_.apply_columns(images_high);
  apply_gamma(images, geometry_.gamma);
  return images;
}

Extender::Extender(std::shared_ptr<const Relighter> relighter, const FaceGeometry& geometry)
    : relighter_(std::move(relighter)),
      geometry_(geometry),
      degrader_(geometry.op, geometry.high, geometry.low, geometry.registration) {
  if (relighter_->model().normals.size != geometry.high) {
    throw Error("The normals are {}, but the photos are {}.",
                to_string(relighter_->model().normals.size), to_string(geometry.high));
  }
}

Matrix Extender::relit(const MatrixRef& photos_high) const {
  const auto per_photo = static_cast<Index>(relighter_->labels().size());
  Matrix images(geometry_.high.pixels(), per_photo * photos_high.cols());
  for (Index p = 0; p < photos_high.cols(); ++p) {
    const Image photo = photos_high.col(p).reshaped(geometry_.high.rows, geometry_.high.cols);
    images.middleCols(p * per_photo, per_photo) = relighter_->relight(photo).images;
  }
  return images;
}

PersonImages Extender::extend(const MatrixRef& photos_high) const {
  return extend(photos_high, relit(photos_high));
}

PersonImages Extender::extend(const MatrixRef& photos_high, const MatrixRef& relit_high) const {
  return {photos_high, degrade(photos_high), relit_high, degrade(relit_high)};
}

}  // namespace longshot
