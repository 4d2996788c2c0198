// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/experiment_draw.h"

#include "longshot/evaluate/small_experiment_test.h"

namespace longshot {
namespace {

using ExperimentDraw = SmallExperiment;

TEST_F(ExperimentDraw, PeopleAreInOrderOfTheirNamesWithTheirPhotos) {
  for (const Index i : {2, 1}) add(i, face(i, 0), Role::kGallery);
  add(1, face(1, 2), Role::kGallery);
  add(1, face(1, 1), Role::kProbe);
  const ExperimentFaces faces = read_experiment_faces(dataset_, plan(), options_, no_progress());
  options_.use_training = false;
  const DrawData data = prepare_draw(dataset_, options_, faces, plan().draws[0], plan().lights);
  ASSERT_EQ(data.people.size(), 1U);
  ASSERT_EQ(data.people[0].size(), 2U);
  EXPECT_EQ(data.people[0][0].subject, name(1));
  EXPECT_EQ(data.people[0][0].photos, (std::vector<Index>{1, 2}));
  EXPECT_EQ(data.people[0][0].photos_high.cols(), 2);
  EXPECT_EQ(first_photos_of(data.people[0]).col(1), data.people[0][1].photos_high.col(0));
  EXPECT_EQ(data.background.enrolled.cols(), 0);

  const FaceGeometry geometry{faces.frame, faces.high, {7, 6}, DegradeOperator()};
  const View view = plain_view(data, data.people[0], geometry, false);
  EXPECT_FALSE(view.camera.has_value());
  EXPECT_EQ(view.people[0].photos_low.rows(), 42);
  EXPECT_EQ(view.training.enrolled_high.cols(), 2);
}

TEST_F(ExperimentDraw, FewPeopleGiveACameraWithoutAMeanFace) {
  for (Index i = 0; i < 3; ++i) add(i, face(i, 0), Role::kGallery);
  Matrix crops(12 * 10, 30);
  for (Index j = 0; j < 30; ++j) {
    crops.col(j) =
        degrade(face(j % 3, static_cast<std::uint64_t>(j)), {12, 10}, parse_operator("gauss:1.5"))
            .reshaped();
  }
  add(0, face(0, 1), Role::kProbe);
  const ExperimentFaces faces = read_experiment_faces(dataset_, plan(), options_, no_progress());
  options_.use_training = false;
  const DrawData data = prepare_draw(dataset_, options_, faces, plan().draws[0], plan().lights);
  const FaceGeometry geometry{faces.frame, faces.high, {12, 10}, DegradeOperator()};
  const View view = plain_view(data, data.people[0], geometry, false);
  const Camera camera = learn_camera(view, data.people[0], crops);
  EXPECT_EQ(camera.crops, 30);
  EXPECT_EQ(camera.tone.size(), 0);
}

TEST(SimulatedCameras, EveryOneHasItsTurn) {
  ProtocolPlan plan;
  plan.draws.resize(1);
  plan.draws[0].runs.resize(2);
  const ProtocolPlan with = with_simulated_cameras(plan, 5);
  std::vector<Index> cameras;
  for (const longshot::Run& run : with.draws[0].runs) cameras.push_back(run.camera);
  EXPECT_EQ(cameras, (std::vector<Index>{0, 2, 4, 1, 3}));
}

}  // namespace
}  // namespace longshot
