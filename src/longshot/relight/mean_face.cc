// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/mean_face.h"

#include <algorithm>
#include <cmath>

#include "longshot/core/error.h"
#include "longshot/relight/face_shape.h"
#include "longshot/relight/integrability.h"
#include "longshot/relight/mirror.h"

namespace longshot {
namespace {

constexpr std::size_t kLeastImages = 6;

Size common_size(std::span<const std::vector<LitImage>> people) {
  if (people.empty()) throw Error("A mean face needs at least one person.");
  Size size;
  for (std::size_t i = 0; i < people.size(); ++i) {
    if (people[i].size() < kLeastImages) {
      throw Error("Person {} has {} images; a mean face needs at least {} under different lights.",
                  i + 1, people[i].size(), kLeastImages);
    }
    for (const LitImage& lit : people[i]) {
      check_image(lit.image, "An image for the mean face");
      if (size.rows == 0) size = size_of(lit.image);
      if (size_of(lit.image) != size) {
        throw Error("Images for a mean face must have one size, not {} and {}.", to_string(size),
                    to_string(size_of(lit.image)));
      }
    }
  }
  return size;
}

SurfaceEstimate surface_of(const std::vector<LitImage>& person,
                           const PhotometricStereoOptions& options) {
  const Index count = static_cast<Index>(person.size());
  Matrix images(count, person.front().image.size());
  Matrix lights(3, count);
  for (Index l = 0; l < count; ++l) {
    const LitImage& lit = person[static_cast<std::size_t>(l)];
    images.row(l) = lit.image.reshaped().transpose();
    lights.col(l) = lit.light;
  }
  return photometric_stereo(images, lights, options);
}

// Scales the albedo to median 1 over the pixels of the outline.
void normalise_albedo(SurfaceEstimate& surface, const Vector& outline) {
  std::vector<double> known;
  for (Index p = 0; p < outline.size(); ++p) {
    if (outline[p] != 0.0 && surface.valid[p] != 0.0) known.push_back(surface.albedo[p]);
  }
  if (known.empty())
    throw Error("A person's images show no pixel that photometric stereo can use.");
  const auto middle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
  std::nth_element(known.begin(), middle, known.end());
  surface.albedo /= *middle;
}

SurfaceEstimate mirrored(const SurfaceEstimate& surface, const FaceFrame& frame, Size size) {
  SurfaceEstimate result;
  result.normals = mirror_normals(surface.normals, frame, size);
  Matrix channels(2, size.pixels());
  channels.row(0) = surface.albedo.transpose();
  channels.row(1) = surface.valid.transpose();
  channels = mirror_about_face(channels, frame, size);
  result.albedo = channels.row(0).transpose();
  // Next to an unknown pixel an interpolated value is not known either.
  result.valid = (channels.row(1).transpose().array() > 0.999).cast<double>();
  return result;
}

// Sums over people, per pixel, from which means and covariances follow.
struct Sums {
  explicit Sums(Index pixels)
      : count(Vector::Zero(pixels)),
        normal(Matrix::Zero(3, pixels)),
        outer(Matrix::Zero(6, pixels)),
        albedo(Vector::Zero(pixels)),
        albedo_squared(Vector::Zero(pixels)) {}

  void add(const SurfaceEstimate& s) {
    for (Index p = 0; p < count.size(); ++p) {
      if (s.valid[p] == 0.0) continue;
      const Eigen::Vector3d n = s.normals.col(p);
      count[p] += 1.0;
      normal.col(p) += n;
      Eigen::Matrix<double, 6, 1> products;
      products << n.x() * n.x(), n.x() * n.y(), n.x() * n.z(), n.y() * n.y(), n.y() * n.z(),
          n.z() * n.z();
      outer.col(p) += products;
      albedo[p] += s.albedo[p];
      albedo_squared[p] += s.albedo[p] * s.albedo[p];
    }
  }

  Vector count;           // pixels
  Matrix normal;          // 3 x pixels
  Matrix outer;           // 6 x pixels: xx, xy, xz, yy, yz, zz
  Vector albedo;          // pixels
  Vector albedo_squared;  // pixels
};

// With one person there is nothing to estimate a spread from, so it is 0.
MeanFaceStatistics statistics_of(const Sums& sums, NormalMap base, Index people, double least) {
  const Index pixels = base.size.pixels();
  MeanFaceStatistics result{std::move(base), Vector::Zero(pixels), Vector::Ones(pixels),
                            Vector::Zero(pixels), people};
  NormalMap& map = result.normals;
  map.covariance = Matrix::Zero(6, pixels);
  for (Index p = 0; p < pixels; ++p) {
    const double count = sums.count[p];
    if (count < std::max(least, 1.0)) {
      map.mask[p] = 0.0;
      continue;
    }
    const Eigen::Vector3d mean = sums.normal.col(p) / count;
    Eigen::Matrix<double, 6, 1> square;
    square << mean.x() * mean.x(), mean.x() * mean.y(), mean.x() * mean.z(), mean.y() * mean.y(),
        mean.y() * mean.z(), mean.z() * mean.z();
    map.covariance.col(p) = sums.outer.col(p) / count - square;
    map.normals.col(p) = mean.normalized();
    result.agreement[p] = mean.norm();
    result.albedo_mean[p] = sums.albedo[p] / count;
    result.albedo_variance[p] = std::max(
        0.0, sums.albedo_squared[p] / count - result.albedo_mean[p] * result.albedo_mean[p]);
  }
  return result;
}

}  // namespace

void MeanFaceOptions::check() const {
  stereo.check();
  if (!(least_known > 0.0 && least_known <= 1.0)) {
    throw Error("least_known must be above 0 and at most 1, not {}.", least_known);
  }
}

MeanFaceStatistics mean_face_of_people(std::span<const std::vector<LitImage>> people,
                                       const FaceFrame& frame, const MeanFaceOptions& options,
                                       Progress& progress) {
  options.check();
  const Size size = common_size(people);
  const NormalMap base = normals_of_shape(mean_face_shape(), frame, size);
  Sums sums(size.pixels());
  ProgressScope scope(progress, "photometric stereo", static_cast<Index>(people.size()));
  // One person after the other: the pixels of each run in parallel.
  for (const std::vector<LitImage>& person : people) {
    SurfaceEstimate surface = surface_of(person, options.stereo);
    normalise_albedo(surface, base.mask);
    sums.add(surface);
    if (options.symmetric) sums.add(mirrored(surface, frame, size));
    scope.advance();
  }
  const Index count = static_cast<Index>(people.size());
  const double copies = options.symmetric ? 2.0 : 1.0;
  MeanFaceStatistics result =
      statistics_of(sums, base, count, options.least_known * copies * static_cast<double>(count));
  if (options.integrable) result.normals = make_integrable(result.normals);
  return result;
}

}  // namespace longshot
