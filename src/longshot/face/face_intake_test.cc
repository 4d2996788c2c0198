// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/face_intake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/face/synthetic_scene_test.h"
#include "longshot/image/align.h"
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

Image stripes(Index rows, Index cols) {
  return Image::NullaryExpr(rows, cols, [](Index r, Index c) {
    return 0.2 + 0.6 * static_cast<double>((r * 7 + c * 3) % 11) / 11.0;
  });
}

// As faces are passed around: the frame at that size.
Image crop_of_person(Index person, Size size) {
  const SyntheticPhoto photo = small_portrait(person, 20.0);
  return align_face(photo.image, photo.eyes, FaceFrame(), size);
}

Input input_of(const std::optional<Eyes>& eyes = {}, const std::optional<FaceFrame>& aligned = {}) {
  Input input;
  input.path = "probe.png";
  input.sample.path = input.path;
  input.sample.eyes = eyes;
  input.aligned = aligned;
  return input;
}

class FaceIntakeFolder : public testing::Test {
 protected:
  FaceIntakeFolder() : folder_(fs::path(testing::TempDir()) / "face_intake") {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "anna");
  }
  ~FaceIntakeFolder() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(FaceIntakeFolder, BadImagesKeepTheirPlace) {
  write_image(folder_ / "anna/1.png", crop_of_person(1, {12, 10}));
  write_file(folder_ / "anna/2.png", "");
  write_image(folder_ / "anna/3.png", stripes(12, 10));
  const std::vector<Input> inputs = list_inputs(load_inputs({folder_}), Role::kProbe);
  ASSERT_EQ(inputs.size(), 3U);
  EXPECT_EQ(inputs[0].problem, "");
  EXPECT_THAT(inputs[1].path, HasSubstr("2.png"));
  EXPECT_NE(inputs[1].problem, "");
  EXPECT_EQ(inputs[2].problem, "");
  FaceIntake intake({});
  EXPECT_EQ(size_of(intake.probe(inputs[0])), (Size{12, 10}));
  EXPECT_THROW(intake.probe(inputs[1]), Error);
}

TEST_F(FaceIntakeFolder, OneMissingPathAmongSeveralIsARejection) {
  write_image(folder_ / "anna/1.png", stripes(12, 10));
  const std::vector<Input> inputs =
      list_inputs(load_inputs({folder_ / "nobody", folder_ / "anna"}), Role::kProbe);
  ASSERT_EQ(inputs.size(), 2U);
  EXPECT_THAT(inputs[0].problem, HasSubstr("does not exist"));
  EXPECT_THROW(load_inputs({folder_ / "nobody"}), Error);
  EXPECT_THROW(load_inputs({folder_ / "nobody", folder_ / "none"}), Error);
  EXPECT_THROW(load_inputs({}), Error);
}

TEST(FaceIntake, RolesChooseWhereThereAreAny) {
  Dataset dataset;
  for (const Role role : {Role::kGallery, Role::kProbe, Role::kUnspecified}) {
    Sample sample;
    sample.path = fmt::format("{}.png", dataset.samples.size());
    sample.role = role;
    dataset.samples.push_back(sample);
  }
  ASSERT_EQ(list_inputs({dataset}, Role::kProbe).size(), 1U);
  EXPECT_EQ(list_inputs({dataset}, Role::kProbe)[0].path, "1.png");
  EXPECT_EQ(list_inputs({dataset}, Role::kTrain).size(), 3U);
}

TEST(FaceIntake, ATightCropIsTakenAsItIs) {
  FaceIntake intake({});
  const Image crop = crop_of_person(1, {12, 10});
  EXPECT_EQ(intake.probe(crop, input_of()), crop);
}

TEST(FaceIntake, EveryFaceOfAFrameIsAnInput) {
  std::vector<Eyes> eyes;
  const SyntheticPhoto frame =
      side_by_side({small_portrait(2, 12.0), small_portrait(4, 8.0)}, 6, eyes);
  Input input = input_of();
  input.read = [&] { return DecodedPhoto{frame.image}; };
  FaceIntake intake({});
  const std::vector<Input> faces = intake.every_face(input);
  ASSERT_EQ(faces.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_TRUE(faces[i].sample.eyes && faces[i].found);
    EXPECT_LT(eye_distance({faces[i].sample.eyes->left, eyes[i].left}), 3.0);
    EXPECT_EQ(intake.probe_of(faces[i]).found, faces[i].found);
  }
  // What is stated is not looked for.
  EXPECT_EQ(intake.every_face(input_of(eyes[0])).size(), 1U);
  input.read = [] { return DecodedPhoto{Image::Constant(60, 50, 0.5)}; };
  EXPECT_THAT(intake.every_face(input).at(0).problem, HasSubstr("No face"));
}

TEST(FaceIntake, ALargeCropIsBroughtToTheHighResolution) {
  FaceIntake intake({});
  EXPECT_EQ(size_of(intake.probe(stripes(96, 80), input_of({}, FaceFrame()))), (Size{48, 40}));
  // Long but narrow: no side may exceed the high resolution.
  EXPECT_EQ(size_of(intake.probe(stripes(96, 30), input_of({}, FaceFrame()))), (Size{48, 30}));
}

TEST(FaceIntake, EyesInAFrameSayTheSize) {
  FaceIntake intake({});
  const Image photo = stripes(200, 200);
  const Eyes eyes{{97.0, 100.0}, {103.0, 100.0}};
  EXPECT_EQ(intake.probe(photo, input_of(eyes)), align_face(photo, eyes, FaceFrame(), {14, 12}));
}

TEST(FaceIntake, CropsOfAnotherFrameAreBroughtToOurs) {
  const FaceFrame other{{{0.2, 0.25}, {0.8, 0.25}}, 1.2};
  const Image photo = stripes(96, 80);
  FaceIntake intake({});
  EXPECT_EQ(intake.probe(photo, input_of({}, other)),
            align_face(photo, eyes_in_pixels(other, {96, 80}), FaceFrame(), {48, 40}));
  IntakeOptions same;
  same.frame = other;
  FaceIntake as_is(same);
  EXPECT_EQ(size_of(as_is.probe(stripes(24, 20), input_of({}, other))), (Size{24, 20}));
}

TEST(FaceIntake, ABlackProbeIsAnError) {
  FaceIntake intake({});
  EXPECT_THROW(intake.probe(Image::Zero(12, 10), input_of()), Error);
  EXPECT_THROW(intake.probe(Image::Constant(12, 10, 0.5), input_of()), Error);
}

}  // namespace
}  // namespace longshot
