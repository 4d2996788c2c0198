// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/experiment_relighting.h"

#include "longshot/evaluate/small_experiment_test.h"
#include "longshot/recognize/face_relighter.h"

namespace longshot {
namespace {

using ExperimentRelighting = SmallExperiment;

TEST_F(ExperimentRelighting, ShowsPhotosSpreadEvenlyUnderAllLights) {
  add_people(0, 5);
  const ExperimentFaces faces = read_experiment_faces(dataset_, plan(), options_, no_progress());
  const auto relighter = make_relighter(faces.frame, faces.high, {}, best_profile());
  const auto shown = show_relightings(*relighter, faces, {0, 1, 2, 3, 4}, 2);
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_EQ(shown[0].sample, 0);
  EXPECT_EQ(shown[1].sample, 2);
  EXPECT_EQ(shown[0].images.size(), ten_lights().size());
  EXPECT_EQ(shown[0].lights.size(), ten_lights().size());
  EXPECT_EQ(size_of(shown[0].albedo), faces.high);
  EXPECT_LE(shown[0].albedo.maxCoeff(), 1.0);
  EXPECT_TRUE(show_relightings(*relighter, faces, {}, 2).empty());
}

}  // namespace
}  // namespace longshot
