// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/crowd.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/recognize/method.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

Matrix photos_of(const std::vector<PersonImages>& people) {
  Matrix photos(people[0].photos_high.rows(), static_cast<Index>(people.size()));
  for (std::size_t i = 0; i < people.size(); ++i) {
    photos.col(static_cast<Index>(i)) = people[i].photos_high.col(0);
  }
  return photos;
}

TEST(Spread, IsEvenAndWithoutRepetition) {
  EXPECT_EQ(spread(10, 5), (std::vector<Index>{0, 2, 4, 6, 8}));
  EXPECT_EQ(spread(3, 5), (std::vector<Index>{0, 1, 2}));
  EXPECT_TRUE(spread(0, 5).empty());
}

TEST(SearcherCrowd, AsksItsSearcher) {
  const RecognizerProblem& problem = recognizer_problem();
  const auto recognizer = make_recognizer("pca", {Profile::kPaper, false, {}, {}});
  recognizer->learn(problem.training);
  const Matrix photos = photos_of(problem.people);
  const auto searcher = enrol_photos(*recognizer, *problem.extender, photos);
  const Matrix all = all_distances(*recognizer, problem.people, problem.probes);
  const SearcherCrowd crowd(*searcher, photos);
  EXPECT_EQ(crowd.people(), 6);
  EXPECT_EQ(crowd.some(3), (std::vector<Index>{0, 2, 4}));
  EXPECT_EQ(crowd.photos({4, 1}).col(0), photos.col(4));
  EXPECT_TRUE(crowd.distances(problem.probes, {5, 0}).row(0).isApprox(all.row(5), 1e-9));
  const Matches nearest = crowd.nearest(problem.probes, 2);
  EXPECT_NEAR(nearest.distances(0, 3), all.col(3).minCoeff(), 1e-6);
  EXPECT_THROW(SearcherCrowd(*searcher, photos.leftCols(2).eval()), Error);
}

}  // namespace
}  // namespace longshot
