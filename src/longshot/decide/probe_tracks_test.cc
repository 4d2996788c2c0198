// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/probe_tracks.h"

#include <gtest/gtest.h>

namespace longshot {
namespace {

TEST(ProbeTracks, AveragesByWeight) {
  const ProbeTracks tracks = {{0, 1, 0}, Vector{{3.0, 0.5, 1.0}}, 2};
  const Matrix values = (Matrix(2, 3) << 1.0, 7.0, 5.0, 0.0, 8.0, 4.0).finished();
  const Matrix expected = (Matrix(2, 2) << 2.0, 7.0, 1.0, 8.0).finished();
  EXPECT_TRUE(track_means(values, tracks).isApprox(expected));
}

TEST(ProbeTracks, CorrelatesTheFramesOfATrack) {
  const ProbeTracks tracks = {{0, 0, 1, 1, 2, 3, 3, 3}, Vector::Ones(8), 4};
  Matrix values(3, 8);
  values.col(0) << 1.0, 2.0, 4.0;
  values.col(1) << 12.0, 14.0, 18.0;  // twice the first, and ten
  values.col(2) << 1.0, 0.0, -1.0;
  values.col(3) << -1.0, 0.0, 1.0;
  values.col(4) << 5.0, 1.0, 0.0;
  values.col(5) << 1.0, -1.0, 0.0;
  values.col(6) << 1.0, -1.0, 0.0;
  values.col(7) << 1.0, 1.0, -2.0;  // at right angles to the two before
  const Vector expected{{1.0, -1.0, 1.0, 1.0 / 3.0}};
  EXPECT_TRUE(track_likeness(values, tracks).isApprox(expected, 1e-9));
}

TEST(ProbeTracks, CountsFramesByWeight) {
  const ProbeTracks tracks = {{0, 0, 0, 1}, Vector{{1.0, 1.0, 0.0, 0.3}}, 2};
  EXPECT_TRUE(equal_frames(tracks).isApprox(Vector{{2.0, 1.0}}));
}

}  // namespace
}  // namespace longshot
