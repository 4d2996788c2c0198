// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/strangers.h"

#include <cmath>

#include <gtest/gtest.h>

#include "longshot/recognize/method.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

TEST(Strangers, ProbesArePhotosBroughtDown) {
  const RecognizerProblem& problem = recognizer_problem();
  const Matrix photos = problem.trained_high.leftCols(5);
  EXPECT_EQ(as_probes(*problem.extender, photos), problem.extender->degrade(photos));
}

TEST(Strangers, ACameraAddsItsNoiseAndItsUncertainty) {
  const RecognizerProblem& problem = recognizer_problem();
  const Matrix photos = problem.trained_high.leftCols(5);
  FaceGeometry geometry = problem.geometry();
  geometry.noise = 0.05;
  const Extender noisy(problem.relighter, geometry);
  const Matrix probes = as_probes(noisy, photos);
  EXPECT_EQ(probes, as_probes(noisy, photos));
  const Matrix difference = probes - noisy.degrade(photos);
  const double deviation =
      std::sqrt(difference.squaredNorm() / static_cast<double>(difference.size()));
  EXPECT_NEAR(deviation, 0.05 * noisy.degrade(photos).mean(), 0.02 * photos.mean());
  geometry.error.shift = 0.1;
  EXPECT_GT(
      (as_probes(Extender(problem.relighter, geometry), photos) - noisy.degrade(photos)).norm(),
      difference.norm());
}

TEST(Strangers, CountAsAbsentWhereTheyCameFrom) {
  const RecognizerProblem& problem = recognizer_problem();
  const Background background{
      problem.trained_high.leftCols(3), problem.trained_high.middleCols(4, 2), {2, 0}, true};
  const Strangers beside = background_strangers(*problem.extender, background);
  EXPECT_EQ(beside.background, (std::vector<Index>{2, 0}));
  EXPECT_EQ(beside.person, (std::vector<Index>{-1, -1}));

  const auto recognizer = make_recognizer("pca", {Profile::kPaper, false, {}, {}});
  recognizer->learn(problem.training);
  const Matrix photos = problem.trained_high.leftCols(4);
  const auto searcher = enrol_photos(*recognizer, *problem.extender, photos);
  const Strangers enrolled =
      enrolled_strangers(*problem.extender, SearcherCrowd(*searcher, photos));
  EXPECT_EQ(enrolled.person, (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_EQ(enrolled.background, (std::vector<Index>(4, -1)));
  EXPECT_EQ(enrolled.probes, problem.extender->degrade(photos));
}

}  // namespace
}  // namespace longshot
