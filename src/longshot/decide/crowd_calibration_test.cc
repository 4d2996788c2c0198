// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/crowd_calibration.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "longshot/core/privacy.h"
#include "longshot/core/random.h"
#include "longshot/decide/lowest_two.h"
#include "longshot/recognize/method.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

TEST(StrangerRatios, LeaveOutWhoCountsAsAbsent) {
  Strangers strangers{Matrix::Zero(1, 2), {7, -1}, {-1, 0}};
  Matches enrolled{{2, 2}, {2, 2}};
  enrolled.people << 7, 7, 8, 8;
  enrolled.distances << 1.0, 1.0, 4.0, 4.0;
  const Matrix background = Matrix::Constant(1, 2, 2.0);
  const StrangerRatios found = stranger_ratios(strangers, enrolled, background, 0.0);
  // The first has 4 and, nearer, the background person at 2; the second 1 and 4.
  ASSERT_EQ(found.log_ratios.size(), 2);
  EXPECT_NEAR(found.log_ratios(0), std::log(2.0), 1e-12);
  EXPECT_NEAR(found.log_ratios(1), std::log(4.0), 1e-12);
  EXPECT_DOUBLE_EQ(found.share, 0.5);
}

// As many strangers as columns, nobody of whom is among the people (rows).
StrangerRatios ratios_of(const Matrix& distances) {
  const auto count = static_cast<std::size_t>(distances.cols());
  const Strangers strangers{Matrix::Zero(1, distances.cols()), std::vector<Index>(count, -1),
                            std::vector<Index>(count, -1)};
  return stranger_ratios(strangers, nearest_people(distances, 6), Matrix(0, distances.cols()), 0.0);
}

TEST(StrangerRatios, AreExponentialWhateverTheNumberOfPeople) {
  // Distances that fall off like a power of 5: the log ratios have the mean 1 / 5.
  for (const Index people : {20, 400}) {
    constexpr Index kStrangers = 2000;
    Random random(3, static_cast<std::uint64_t>(people));
    Matrix distances(people, kStrangers);
    for (double& value : distances.reshaped()) value = std::pow(random.uniform(), 1.0 / 5.0);
    const StrangerRatios found = ratios_of(distances);
    EXPECT_EQ(found.log_ratios.size(), 4 * kStrangers);
    EXPECT_NEAR(found.log_ratios.mean(), 0.2, 0.01) << people;
    EXPECT_DOUBLE_EQ(found.share, 1.0);
  }
}

TEST(StrangerRatios, OfSumsOfEvidenceGiveTheRateOfTheFirst) {
  // Logarithms that are normal, as sums are, fall off faster than any power, and the mean of
  // j log(d(j+1) / d(j)) grows with j. Left as they are, these would let only 6.6 and 7.9 % pass.
  for (const Index people : {30, 300}) {
    constexpr Index kStrangers = 5000;
    Random random(4, static_cast<std::uint64_t>(people));
    Matrix distances(people, kStrangers);
    for (double& value : distances.reshaped()) value = std::exp(random.normal());
    const double least = UpperTail(ratios_of(distances).log_ratios, 0.3).value_at(0.1);
    Index passed = 0;
    for (Index j = 0; j < kStrangers; ++j) {
      const LowestTwo two = lowest_two(distances.col(j));
      if (log_ratio(two.first, two.second, 0.0) > least) ++passed;
    }
    EXPECT_NEAR(static_cast<double>(passed) / kStrangers, 0.1, 0.015) << people;
  }
}

// A crowd of people with random albedos, of whom the recogniser knows nothing.
class CrowdCalibration : public testing::Test {
 protected:
  CrowdCalibration() : recognizer_(make_recognizer("pca", {Profile::kPaper, false, {}, {}})) {
    recognizer_->learn(problem_.training);
  }

  Matrix photos(Index count, std::uint64_t seed, LightDirection light) const {
    Matrix result(problem_.geometry().high.pixels(), count);
    for (Index i = 0; i < count; ++i) {
      Random random(seed, static_cast<std::uint64_t>(i));
      result.col(i) = lit_photo(problem_.relighter->model().normals,
                                smooth_albedo(problem_.geometry().high, random), light);
    }
    return result;
  }
  Calibration calibration(const Matrix& enrolled, const Background& background) const {
    const auto searcher = enrol_photos(*recognizer_, *problem_.extender, enrolled);
    return calibrate_crowd(SearcherCrowd(*searcher, enrolled), *recognizer_, *problem_.extender,
                           background);
  }
  // The rate at which photos of other people are taken for somebody.
  double measured(const Matrix& enrolled, const Background& background, double fpir) const {
    const auto searcher = enrol_photos(*recognizer_, *problem_.extender, enrolled);
    const auto beside = enrol_photos(*recognizer_, *problem_.extender, background.enrolled);
    const Calibration made = calibration(enrolled, background);
    const Matrix probes = as_probes(*problem_.extender, photos(1000, 99, {0, 10}));
    const Matrix distances = searcher->distances(probes);
    const Matrix others = beside->distances(probes);
    Index known = 0;
    for (Index j = 0; j < probes.cols(); ++j) {
      Vector all = distances.col(j);
      std::sort(all.begin(), all.end());
      const double other = std::min(all(1), others.col(j).minCoeff());
      known += log_ratio(all(0), other, made.zero) > made.known_above(fpir) ? 1 : 0;
    }
    return static_cast<double>(known) / static_cast<double>(probes.cols());
  }
  Background background(Index people, bool real) const {
    Background made{photos(people, 5, {0, 10}), photos(people, 5, {15, 10}), {}, real};
    for (Index i = 0; i < people; ++i) made.owners.push_back(i);
    return made;
  }

  const RecognizerProblem& problem_ = recognizer_problem();
  std::unique_ptr<Recognizer> recognizer_;
};

TEST_F(CrowdCalibration, MeetsTheRateThatWasAskedFor) {
  for (const Index people : {60, 240}) {
    for (const bool real : {false, true}) {
      const Matrix enrolled = photos(people, 7, {0, 10});
      const double rate = measured(enrolled, background(40, real), 0.1);
      EXPECT_GT(rate, 0.05) << people << " " << real;
      EXPECT_LT(rate, 0.17) << people << " " << real;
    }
  }
}

TEST_F(CrowdCalibration, KnowsWhichShareOfStrangersIsNearestToSomebodyEnrolled) {
  const Matrix enrolled = photos(60, 7, {0, 10});
  const double share = calibration(enrolled, background(40, true)).share;
  EXPECT_GT(share, 0.4);
  EXPECT_LT(share, 0.8);
}

TEST_F(CrowdCalibration, FewPeopleAreNotAsked) {
  const Background beside = background(40, false);
  const Calibration few = calibration(photos(kFewestPeople - 1, 7, {0, 10}), beside);
  const Calibration others = calibration(photos(kFewestPeople - 1, 8, {0, 10}), beside);
  EXPECT_EQ(few.known_above(0.01), others.known_above(0.01));
  EXPECT_EQ(few.share, 1.0);
  EXPECT_NE(calibration(photos(kFewestPeople, 7, {0, 10}), beside).known_above(0.01),
            calibration(photos(kFewestPeople, 8, {0, 10}), beside).known_above(0.01));
  // Nor are they where more training people can be.
  EXPECT_EQ(calibration(photos(40, 7, {0, 10}), background(40, true)).share, 1.0);
}

TEST_F(CrowdCalibration, AlsoForDistancesThatDependOnEachOther) {
  recognizer_ = make_recognizer("crc", {Profile::kPaper, false, {}, {}});
  recognizer_->learn(problem_.training);
  const Calibration made = calibration(photos(8, 7, {0, 10}), background(40, false));
  EXPECT_TRUE(std::isfinite(made.known_above(0.01)));
  EXPECT_LT(made.known_above(0.1), made.known_above(0.01));
}

}  // namespace
}  // namespace longshot
