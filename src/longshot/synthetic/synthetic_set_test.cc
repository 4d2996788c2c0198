// SPDX-License-Identifier: Apache-2.0
#include "longshot/synthetic/synthetic_set.h"

#include <cmath>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/dataset/tree_test.h"
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

class SyntheticSet : public TreeTest {};

TEST_F(SyntheticSet, IsReadBackAsItWasWritten) {
  const SyntheticSetOptions options = {3, 2, {60, 50}, 7};
  const std::vector<Sample> written = write_synthetic_set(root_ / "new" / "set", options);
  ASSERT_EQ(written.size(), 6U);
  const Dataset read = load_dataset(root_ / "new" / "set" / "manifest.csv");
  EXPECT_TRUE(read.rejections.empty());
  ASSERT_EQ(read.samples.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    const Sample& sample = read.samples[i];
    EXPECT_EQ(sample.subject, fmt::format("person_{:05}", i / 2));
    EXPECT_EQ(sample.role, i % 2 == 0 ? Role::kGallery : Role::kProbe);
    EXPECT_EQ(sample.condition, written[i].condition);
    EXPECT_EQ(sample.session, "1");
    ASSERT_TRUE(sample.eyes.has_value());
    EXPECT_NEAR(sample.eyes->left.x, written[i].eyes->left.x, 1e-3);
    EXPECT_EQ(size_of(read_image(sample.path)), (Size{60, 50}));
  }
  EXPECT_EQ(read.samples[0].condition, "az+000_el+12");
}

TEST_F(SyntheticSet, PeopleToTrainOnAreOthers) {
  const std::vector<Sample> samples = write_synthetic_set(root_, {2, 2, {60, 50}, 7, 1});
  ASSERT_EQ(samples.size(), 6U);
  EXPECT_EQ(samples[3].role, Role::kProbe);
  for (const std::size_t i : {4U, 5U}) {
    EXPECT_EQ(samples[i].role, Role::kTrain);
    EXPECT_EQ(samples[i].subject, "person_00002");
  }
}

TEST_F(SyntheticSet, PhotosAreThoseOfThePeople) {
  const SyntheticSetOptions options = {1, 2, {120, 100}, 11};
  const std::vector<Sample> samples = write_synthetic_set(root_, options);
  const SyntheticPhoto photo =
      take_photo(make_person(11, 0), portrait_options(options, 1), std::uint64_t{1});
  const Image read = read_image(samples[1].path);
  EXPECT_LE((read - photo.image).cwiseAbs().maxCoeff(), 0.5 / 255.0 + 1e-9);
  EXPECT_EQ(*samples[1].eyes, photo.eyes);
}

TEST_F(SyntheticSet, LeavesOtherFilesAlone) {
  const std::filesystem::path other = add("person_00000/notes.txt", "keep");
  write_synthetic_set(root_, {1, 1, {60, 50}, 1});
  write_synthetic_set(root_, {1, 1, {60, 50}, 2});
  EXPECT_EQ(read_file(other), "keep");
  EXPECT_TRUE(std::filesystem::exists(root_ / "person_00000" / "00.png"));
}

TEST_F(SyntheticSet, SaysWhichFolderCannotBeMade) {
  add("file", "x");
  const std::string error = error_of([&] {
    write_synthetic_set(root_ / "file" / "set", {1, 1, {60, 50}, 1});
  });
  EXPECT_NE(error.find("file"), std::string::npos) << error;
}

TEST(SyntheticSetOptions, PutsTheHeadIntoPicturesOfAnyShape) {
  for (const Size size : {Size{240, 200}, Size{200, 300}, Size{400, 150}}) {
    const FaceFrame frame = portrait_frame(size);
    frame.check();
    const Eyes eyes = eyes_in_pixels(frame, size);
    const double distance = eye_distance(eyes);
    EXPECT_DOUBLE_EQ(eyes.left.y, eyes.right.y);
    EXPECT_GT(eyes.left.y, 1.5 * distance);
    EXPECT_LT(eyes.left.y + 1.8 * distance, static_cast<double>(size.rows));
    EXPECT_GT(eyes.left.x, distance);
  }
}

TEST(SyntheticSetOptions, RefusesBadValues) {
  const auto refuses = [](const SyntheticSetOptions& options) {
    EXPECT_THROW(options.check(), Error);
  };
  SyntheticSetOptions{}.check();
  SyntheticSetOptions{1, 1, {44, 37}, 1}.check();
  refuses({0, 1, {240, 200}, 1});
  refuses({1'000'001, 1, {240, 200}, 1});
  refuses({1, 0, {240, 200}, 1});
  refuses({1, 1, {20, 20}, 1});
  refuses({1, 1, {0, 0}, 1});
  refuses({1, 1, {5000, 200}, 1});
  refuses({1, 1, {240, 200}, 1, -1});
}

}  // namespace
}  // namespace longshot
