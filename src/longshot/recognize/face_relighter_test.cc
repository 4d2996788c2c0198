// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/face_relighter.h"

#include <gtest/gtest.h>

#include "longshot/recognize/recognizer_problem.h"
#include "longshot/relight/builtin_prior.h"

namespace longshot {
namespace {

const FaceGeometry& geometry() {
  return recognizer_problem().extender->geometry();
}

TEST(FaceRelighter, TrainedAlbedoIsUsedWhereItIsWantedAndThere) {
  const FaceFrame& frame = geometry().frame;
  const Size high = geometry().high;
  const AlbedoPrior trained =
      trained_albedo(frame, high, recognizer_problem().training.photos_high);
  const AlbedoPrior builtin = builtin_albedo_prior(frame, high);
  ASSERT_NE(trained.mean, builtin.mean);
  EXPECT_EQ(known_albedo(AlbedoKnowledge::kTrained, frame, high, trained)->mean, trained.mean);
  EXPECT_EQ(known_albedo(AlbedoKnowledge::kTrained, frame, high, {})->mean, builtin.mean);
  EXPECT_EQ(known_albedo(AlbedoKnowledge::kBuiltin, frame, high, trained)->mean, builtin.mean);
  EXPECT_FALSE(known_albedo(AlbedoKnowledge::kLocal, frame, high, trained).has_value());
}

TEST(FaceRelighter, RelightsWithThatAlbedo) {
  const FaceFrame& frame = geometry().frame;
  const Size high = geometry().high;
  const auto relighter = make_relighter(frame, high, builtin_albedo_prior(frame, high), {});
  ASSERT_TRUE(relighter->model().prior.has_value());
  EXPECT_EQ(relighter->model().prior->mean, builtin_albedo_prior(frame, high).mean);
  const Image face =
      recognizer_problem().training.photos_high.col(0).reshaped(high.rows, high.cols);
  const RelitSet with = relighter->relight(face);
  const RelitSet without = make_relighter(frame, high, {}, {})->relight(face);
  EXPECT_EQ(with.images.rows(), high.pixels());
  EXPECT_NE(with.images, without.images);
}

}  // namespace
}  // namespace longshot
