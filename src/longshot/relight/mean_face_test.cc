// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/mean_face.h"

#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/test_data.h"
#include "longshot/image/image_io.h"
#include "longshot/relight/face_shape.h"

namespace longshot {
namespace {

constexpr Size kSize{24, 20};

std::vector<Eigen::Vector3d> lights() {
  std::vector<Eigen::Vector3d> result;
  for (const double x : {-0.8, -0.4, 0.0, 0.4, 0.8}) {
    for (const double y : {-0.5, 0.0, 0.5}) {
      result.push_back(Eigen::Vector3d(x, y, 1.0).normalized());
    }
  }
  return result;
}

// A person of the built-in shape made steeper or flatter, with uniform albedo.
std::vector<LitImage> person(double depth, double albedo, const FaceFrame& frame) {
  std::vector<ShapeTerm> terms = mean_face_shape().terms();
  for (ShapeTerm& term : terms) term.amplitude *= depth;
  const NormalMap map = normals_of_shape(FaceShape(terms), frame, kSize);
  std::vector<LitImage> result;
  for (const Eigen::Vector3d& light : lights()) {
    result.push_back({albedo * shading(map, light).reshaped(kSize.rows, kSize.cols), light});
  }
  return result;
}

TEST(MeanFace, OnePersonIsFoundExactly) {
  const std::vector<std::vector<LitImage>> people = {person(1.0, 0.8, FaceFrame{})};
  const MeanFaceStatistics mean = mean_face_of_people(people, FaceFrame{});
  mean.normals.check();
  EXPECT_EQ(mean.people, 1);
  const NormalMap truth = normals_of_shape(mean_face_shape(), FaceFrame{}, kSize);
  for (Index p = 0; p < kSize.pixels(); ++p) {
    if (mean.normals.mask[p] == 0.0) continue;
    EXPECT_LT((mean.normals.normals.col(p) - truth.normals.col(p)).norm(), 1e-6);
    EXPECT_NEAR(mean.agreement[p], 1.0, 1e-9);
    EXPECT_NEAR(mean.albedo_mean[p], 1.0, 1e-6);
    EXPECT_NEAR(mean.albedo_variance[p], 0.0, 1e-9);
  }
  EXPECT_GT(mean.normals.mask.sum(), 0.8 * truth.mask.sum());
}

TEST(MeanFace, SpreadOfPeopleIsTheirCovariance) {
  const std::vector<std::vector<LitImage>> people = {person(0.8, 0.5, FaceFrame{}),
                                                     person(1.0, 0.9, FaceFrame{})};
  MeanFaceOptions options;
  options.symmetric = false;
  const MeanFaceStatistics mean = mean_face_of_people(people, FaceFrame{}, options);
  const auto alone = [&](std::size_t i) {
    return mean_face_of_people({&people[i], 1}, FaceFrame{}, options).normals.normals;
  };
  const Matrix a = alone(0);
  const Matrix b = alone(1);
  const Index p = 6 * 24 + 14;
  ASSERT_EQ(mean.normals.mask[p], 1.0);
  const Eigen::Vector3d half = 0.5 * (a.col(p) - b.col(p));
  EXPECT_GT(half.norm(), 0.005);
  EXPECT_NEAR(mean.normals.covariance(0, p), half.x() * half.x(), 1e-9);
  EXPECT_NEAR(mean.normals.covariance(1, p), half.x() * half.y(), 1e-9);
  EXPECT_NEAR(mean.normals.covariance(5, p), half.z() * half.z(), 1e-9);
  EXPECT_LT(mean.agreement[p], 1.0);
  // Albedos of 0.5 and 0.9 are alike once each has median 1.
  EXPECT_NEAR(mean.albedo_mean[p], 1.0, 1e-6);
}

TEST(MeanFace, SymmetricMeanOfASlantedFace) {
  // Lights 10 degrees to one side of where they are said to be slant every normal.
  std::vector<std::vector<LitImage>> people = {person(1.0, 0.8, FaceFrame{})};
  for (LitImage& lit : people[0]) {
    lit.light = Eigen::Vector3d(lit.light.x() + 0.17, lit.light.y(), lit.light.z()).normalized();
  }
  const MeanFaceStatistics mean = mean_face_of_people(people, FaceFrame{});
  const NormalMap mirrored = flip(mean.normals);
  EXPECT_LT((mirrored.normals - mean.normals.normals).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((mirrored.covariance - mean.normals.covariance).cwiseAbs().maxCoeff(), 1e-9);
  MeanFaceOptions options;
  options.symmetric = false;
  const NormalMap slanted = mean_face_of_people(people, FaceFrame{}, options).normals;
  EXPECT_GT((flip(slanted).normals - slanted.normals).cwiseAbs().maxCoeff(), 0.1);
}

// Zero-mean correlation.
double correlation(const Image& a, const Image& b) {
  const Eigen::ArrayXd x = a.reshaped().array() - a.mean();
  const Eigen::ArrayXd y = b.reshaped().array() - b.mean();
  return (x * y).sum() / std::sqrt(x.square().sum() * y.square().sum());
}

TEST(MeanFace, BuiltInFaceRelightsRealPhotos) {
  const auto folder = test_data("yaleb-192x168");
  if (!folder) GTEST_SKIP() << "skipped: no data";
  FaceFrame frame;
  frame.eyes = {{0.207, 0.242}, {0.772, 0.242}};
  frame.aspect = 192.0 / 168.0;
  const NormalMap map = normals_of_shape(mean_face_shape(), frame, {192, 168});
  const auto photo = [&](const std::string& person, const std::string& light) {
    return read_image(*folder / person / (person + "_P00" + light + ".pgm"));
  };
  double relit = 0.0;
  double untouched = 0.0;
  for (const std::string person : {"yaleB01", "yaleB05", "yaleB10", "yaleB15"}) {
    const Image frontal = photo(person, "A+000E+00");
    const Image side = photo(person, "A+050E+00");  // azimuth 50 degrees: from the image's left
    const Eigen::Vector3d light(-std::sin(50.0 * std::numbers::pi / 180.0), 0.0,
                                std::cos(50.0 * std::numbers::pi / 180.0));
    const Vector shade = shading(map, light).cwiseQuotient(shading(map, {0.0, 0.0, 1.0}));
    relit += correlation(frontal.cwiseProduct(shade.reshaped(192, 168)), side) / 4.0;
    untouched += correlation(frontal, side) / 4.0;
  }
  EXPECT_GT(relit, 0.80);
  EXPECT_GT(relit, untouched + 0.3);
}

TEST(MeanFace, BadInputIsRefused) {
  std::vector<std::vector<LitImage>> people;
  EXPECT_THROW(mean_face_of_people(people, FaceFrame{}), Error);
  people.push_back(person(1.0, 0.8, FaceFrame{}));
  people[0].resize(5);
  EXPECT_THROW(mean_face_of_people(people, FaceFrame{}), Error);
  people[0] = person(1.0, 0.8, FaceFrame{});
  people[0][3].image = Image::Zero(5, 5);
  EXPECT_THROW(mean_face_of_people(people, FaceFrame{}), Error);
  people[0] = person(1.0, 0.0, FaceFrame{});  // black
  EXPECT_THROW(mean_face_of_people(people, FaceFrame{}), Error);
  MeanFaceOptions options;
  options.least_known = 0.0;
  EXPECT_THROW(options.check(), Error);
}

}  // namespace
}  // namespace longshot
