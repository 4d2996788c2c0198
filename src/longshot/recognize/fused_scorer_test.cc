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

// Nobody who is ruled out early may have been among the nearest: to the last bit, for people who
// are all alike too, for probes like somebody, and for noise.
TEST(FusedScorer, SearchIsThatOfComparingEverybody) {
  constexpr Index kPeople = 600;
  for (const bool alike : {false, true}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      People people;
      for (Index i = 0; i < kPeople; ++i) {
        const std::uint64_t own = 10000 * seed + static_cast<std::uint64_t>(alike ? i % 3 : i);
        add_soft_subspace(people.pixels, learn_soft_subspace(gaussian(kPixels, 4, own), {}));
        people.gradients.add(plda_person(Vector::Constant(kCoordinates, 2.0),
                                         gaussian(kCoordinates, 1 + i % 2, own + 5000)));
      }
      for (const Index probes : {1, 40}) {
        Matrix features = 3.0 * gaussian(kPixels, probes, seed);
        if (probes > 1) features.leftCols(20) = gaussian(kPixels, 80, 10000 * seed).leftCols(20);
        const FusedScorer scorer =
            fuse(people, features, 4.0 * gaussian(kCoordinates, probes, seed + 1));
        Matrix all(kPeople, probes);
        for (Index i = 0; i < kPeople; ++i) {
          for (Index j = 0; j < probes; ++j) {
            all(i, j) = scorer.distances(i, scorer.features().col(j))[0];
          }
        }
        const Matches expected = nearest_people(all, 7);
        const Matches found = search_people(scorer, scorer.features(), 7);
        EXPECT_EQ(found.people, expected.people);
        EXPECT_EQ(found.distances, expected.distances);
      }
    }
  }
}

TEST(FusedScorer, AProbeWithoutContentIsEquallyFarFromEveryone) {
  const People people = some_people(4);
  const FusedScorer scorer = fuse(people, Matrix::Zero(kPixels, 1), Matrix::Zero(kCoordinates, 1));
  EXPECT_EQ(all_distances(scorer, scorer.features()), Matrix::Constant(4, 1, people.pixels.far()));
}

}  // namespace
}  // namespace longshot
