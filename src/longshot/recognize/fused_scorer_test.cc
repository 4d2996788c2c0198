// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/fused_scorer.h"

#include <cmath>

#include <gtest/gtest.h>

#include "longshot/recognize/soft_subspace.h"
#include "longshot/search/soft_subspace_people_test.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

using small_problems::gaussian;

constexpr Index kPixels = 10;
constexpr Index kCoordinates = 6;
constexpr double kWeight = 0.1;

struct People {
  SoftSubspaceBlock pixels{kPixels, 1.0};
  PldaPeople gradients{kCoordinates};
};

People some_people(Index count) {
  People people;
  for (Index i = 0; i < count; ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    add_soft_subspace(people.pixels, learn_soft_subspace(gaussian(kPixels, 4, 2 * seed), {}));
    people.gradients.add(
        plda_person(Vector::Constant(kCoordinates, 2.0), gaussian(kCoordinates, 1, 2 * seed + 1)));
  }
  return people;
}

FusedScorer fuse(const People& people, const Matrix& features, const Matrix& coordinates) {
  return {people.pixels, features, {{&people.gradients, kWeight, coordinates}}};
}

TEST(FusedScorer, IsTheDistanceTimesThePowerOfTheRatio) {
  const People people = some_people(5);
  const Matrix features = gaussian(kPixels, 3, 1000);
  const Matrix coordinates = gaussian(kCoordinates, 3, 1001);
  const FusedScorer scorer = fuse(people, features, coordinates);
  const Matrix expected = all_distances(people.pixels, features).array() *
                          (-kWeight * people.gradients.log_ratios(coordinates).array()).exp();
  EXPECT_LT((all_distances(scorer, scorer.features()) - expected).norm(), 1e-9 * expected.norm());
}

TEST(FusedScorer, WithoutPartsThePixelsDecide) {
  const People people = some_people(4);
  const Matrix features = gaussian(kPixels, 2, 1000);
  const FusedScorer scorer(people.pixels, features, {});
  EXPECT_EQ(all_distances(scorer, scorer.features()), all_distances(people.pixels, features));
}

// Enough people for single precision to propose; few probes and many take different ways.
TEST(FusedScorer, SearchFindsExactlyTheNearest) {
  const People people = some_people(400);
  for (const Index probes : {1, 30}) {
    const FusedScorer scorer =
        fuse(people, gaussian(kPixels, probes, 1000), gaussian(kCoordinates, probes, 1001));
    const Matches expected = nearest_people(all_distances(scorer, scorer.features()), 5);
    const Matches found = search_people(scorer, scorer.features(), 5);
    EXPECT_EQ(found.people, expected.people);
    EXPECT_LT((found.distances - expected.distances).norm(), 1e-9 * expected.distances.norm());
  }
}

TEST(FusedScorer, AProbeWithoutContentIsEquallyFarFromEveryone) {
  const People people = some_people(4);
  const FusedScorer scorer = fuse(people, Matrix::Zero(kPixels, 1), Matrix::Zero(kCoordinates, 1));
  EXPECT_EQ(all_distances(scorer, scorer.features()), Matrix::Constant(4, 1, people.pixels.far()));
}

}  // namespace
}  // namespace longshot
