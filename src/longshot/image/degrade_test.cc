// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/degrade.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/random.h"

namespace longshot {
namespace {

Image random_image(Size size, std::uint64_t seed) {
  Random random(seed);
  return Image::NullaryExpr(size.rows, size.cols, [&](Index, Index) { return random.uniform(); });
}

class DegradeAll : public testing::TestWithParam<const char*> {
 protected:
  DegradeOperator op() const { return parse_operator(GetParam()); }
};

TEST_P(DegradeAll, AdjointIsTheAdjoint) {
  for (const Size to : {Size{7, 6}, Size{12, 10}, Size{19, 16}, Size{60, 50}}) {
    const Degrader degrader(op(), {48, 40}, to);
    const Image x = random_image({48, 40}, 1);
    const Image y = random_image(to, 2);
    EXPECT_NEAR(degrader.apply(x).cwiseProduct(y).sum(), x.cwiseProduct(degrader.adjoint(y)).sum(),
                1e-11);
  }
}

TEST_P(DegradeAll, ConstantsStayConstant) {
  const Image small = degrade(Image::Constant(48, 40, 0.3), {7, 6}, op());
  EXPECT_EQ(size_of(small), (Size{7, 6}));
  EXPECT_LT((small.array() - 0.3).abs().maxCoeff(), 1e-12);
}

TEST_P(DegradeAll, CommutesWithFlip) {
  const Image image = random_image({48, 40}, 3);
  EXPECT_LT((degrade(flip(image), {7, 6}, op()) - flip(degrade(image, {7, 6}, op()))).norm(),
            1e-12);
}

TEST_P(DegradeAll, ColumnsEqualSingleImages) {
  const Degrader degrader(op(), {48, 40}, {7, 6});
  Matrix images(48 * 40, 3);
  for (Index k = 0; k < 3; ++k) images.col(k) = random_image({48, 40}, 10 + k).reshaped();
  const Matrix small = degrader.apply_columns(images);
  for (Index k = 0; k < 3; ++k) {
    const Image expected = degrader.apply(images.col(k).reshaped(48, 40));
    EXPECT_LT((small.col(k) - expected.reshaped()).norm(), 1e-12);
  }
  const Matrix wide = random_image({48 * 40 + 5, 3}, 4);
  EXPECT_LT((degrader.apply_columns(wide.topRows(48 * 40)) -
             degrader.apply_columns(Matrix(wide.topRows(48 * 40))))
                .norm(),
            1e-12);
}

TEST_P(DegradeAll, NameRoundTrips) {
  EXPECT_EQ(to_string(op()), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Operators, DegradeAll,
                         testing::Values("imresize", "area", "gauss", "gauss:0.8", "gauss:0"));

TEST(Degrade, AreaIsTheMeanOverWholeBlocks) {
  const Image image = random_image({48, 40}, 5);
  const Image small = degrade(image, {12, 10}, parse_operator("area"));
  EXPECT_NEAR(small(2, 3), image.block(8, 12, 4, 4).mean(), 1e-13);
}

TEST(Degrade, MoreBlurLeavesLessDetail) {
  const Image image = random_image({48, 40}, 6);
  const auto deviation = [&](const char* name) {
    const Image small = degrade(image, {12, 10}, parse_operator(name));
    return (small.array() - small.mean()).matrix().norm();
  };
  EXPECT_GT(deviation("gauss:0.1"), deviation("gauss:0.5"));
  EXPECT_GT(deviation("gauss:0.5"), deviation("gauss:1"));
}

TEST(Degrade, RefusesWhatIsNotAnOperator) {
  for (const char* bad : {"", "cubic", "gauss:", "gauss:-1", "gauss:11", "gauss:x", "gauss:1x"}) {
    EXPECT_THROW(parse_operator(bad), Error) << bad;
  }
}

TEST(Degrade, RefusesWrongSizes) {
  EXPECT_THROW(Degrader({}, {48, 40}, {0, 6}), Error);
  EXPECT_THROW(Degrader({}, {48, 40}, {7, 6}).apply(Image::Zero(40, 48)), Error);
  EXPECT_THROW(Degrader({}, {48, 40}, {7, 6}).adjoint(Image::Zero(6, 7)), Error);
  EXPECT_THROW(degrade(Image(), {7, 6}), Error);
}

TEST(Noise, HasTheStatedDeviationAndSeed) {
  const Image image = Image::Constant(200, 200, 0.5);
  const Image noisy = add_noise(image, 0.05, 1);
  const double deviation = std::sqrt((noisy.array() - 0.5).square().mean());
  EXPECT_NEAR(deviation, 0.05, 0.001);
  EXPECT_EQ(noisy, add_noise(image, 0.05, 1));
  EXPECT_NE(noisy, add_noise(image, 0.05, 2));
  EXPECT_EQ(add_noise(image, 0.0, 1), image);
  EXPECT_LE(add_noise(image, 1.0, 1, true).maxCoeff(), 1.0);
  EXPECT_THROW(add_noise(image, -1.0, 1), Error);
}

}  // namespace
}  // namespace longshot
