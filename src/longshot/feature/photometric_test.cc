// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/photometric.h"

#include <limits>

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

TEST(Photometric, KnownAnswers) {
  const Matrix image = Eigen::Vector3d(4, 0, 9) / 16;
  const Vector unit = normalise_columns(image, Normalisation::kUnitNorm);
  EXPECT_NEAR((unit - Eigen::Vector3d(4, 0, 9) / std::sqrt(97.0)).norm(), 0, 1e-15);
  const Vector root = normalise_columns(image, Normalisation::kRootUnitNorm);
  EXPECT_NEAR((root - Eigen::Vector3d(2, 0, 3) / std::sqrt(13.0)).norm(), 0, 1e-15);
  const Vector centred = normalise_columns(image, Normalisation::kZeroMeanUnitNorm);
  EXPECT_NEAR(centred.sum(), 0, 1e-15);
  EXPECT_NEAR(centred.norm(), 1, 1e-15);
  EXPECT_EQ(normalise_columns(image, Normalisation::kNone), image);
}

TEST(Photometric, ExposureDoesNotMatter) {
  const Matrix images = (Matrix::Random(42, 5).array() + 1.0).matrix();
  for (const char* name : {"unit", "zero-mean", "root"}) {
    const Normalisation kind = parse_normalisation(name);
    EXPECT_LT((normalise_columns(images, kind) - normalise_columns(3.0 * images, kind)).norm(),
              1e-12)
        << name;
  }
}

TEST(Photometric, BlackAndFlatImagesBecomeZero) {
  EXPECT_TRUE(normalise_columns(Matrix::Zero(42, 2), Normalisation::kUnitNorm).isZero());
  EXPECT_TRUE(
      normalise_columns(Matrix::Constant(42, 2, 0.3), Normalisation::kZeroMeanUnitNorm).isZero());
}

TEST(Photometric, BadInput) {
  Matrix image = Matrix::Ones(4, 1);
  image(2, 0) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(normalise_columns(image, Normalisation::kUnitNorm), Error);
  EXPECT_THROW(parse_normalisation("Unit"), Error);
}

}  // namespace
}  // namespace longshot
