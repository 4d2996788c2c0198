// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/experiment_faces.h"

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/evaluate/small_experiment_test.h"

namespace longshot {
namespace {

using ExperimentFacesTest = SmallExperiment;

TEST_F(ExperimentFacesTest, ProbesOfTheirOwnSizesMeetInTheMiddle) {
  add(0, face(0, 0), Role::kGallery);
  for (const Size size : {Size{7, 6}, Size{12, 10}, Size{24, 20}}) {
    add(0, degrade(face(0, 1), size), Role::kProbe);
  }
  options_.sizes.clear();
  const ExperimentFaces faces = read_experiment_faces(dataset_, plan(), options_, no_progress());
  EXPECT_EQ(faces.native, (Size{12, 10}));
  EXPECT_EQ(faces.high, (Size{48, 40}));
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(size_of(faces.native_faces[i]), (Size{12, 10}));
}

TEST_F(ExperimentFacesTest, ImagesThatCannotBeReadAreLeftOut) {
  add_people(0, 2);
  const Index bad = add(0, face(0, 2), Role::kProbe);
  write_file(dataset_.samples[static_cast<std::size_t>(bad)].path, "no picture");
  const ExperimentFaces faces = read_experiment_faces(dataset_, plan(), options_, no_progress());
  EXPECT_EQ(faces.rejections.size(), 1U);
  const ProtocolPlan kept = without_rejected(plan(), faces);
  EXPECT_EQ(kept.draws[0].runs[0].probes.size(), 2U);
  ExperimentFaces none = faces;
  for (Image& image : none.high_faces) image.resize(0, 0);
  EXPECT_THROW(without_rejected(plan(), none), Error);
  const Matrix columns = columns_of(faces.high_faces, {1, 0});
  EXPECT_EQ(columns.col(1), faces.high_faces[0].reshaped());
}

}  // namespace
}  // namespace longshot
