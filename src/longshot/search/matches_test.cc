// SPDX-License-Identifier: Apache-2.0
#include "longshot/search/matches.h"

#include <gtest/gtest.h>

namespace longshot {
namespace {

TEST(NearestPeople, OrdersByDistanceThenByEnrolment) {
  Matrix distances(4, 2);
  distances << 3, 1,  //
      1, 1,           //
      2, 0,           //
      1, 1;
  const Matches matches = nearest_people(distances, 3);
  EXPECT_EQ(matches.people.col(0), (Eigen::Vector<Index, 3>(1, 3, 2)));
  EXPECT_EQ(matches.people.col(1), (Eigen::Vector<Index, 3>(2, 0, 1)));
  EXPECT_EQ(matches.distances.col(0), Eigen::Vector3d(1, 1, 2));
}

TEST(NearestPeople, GivesNoMorePeopleThanThereAre) {
  const Matches matches = nearest_people(Matrix::Ones(2, 1), 5);
  EXPECT_EQ(matches.people.rows(), 2);
}

}  // namespace
}  // namespace longshot
