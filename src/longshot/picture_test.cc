// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "longshot/door.h"
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

const std::vector<std::uint8_t> kGrey = {0, 50, 100, 150, 200, 255};

ErrorKind kind_of_reading(const v0::Picture& picture) {
  try {
    door::image_of(picture);
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::cancelled;
}

TEST(Picture, TakesGreyPixelsRowByRow) {
  const Image image = door::image_of(v0::Picture::grey(kGrey.data(), {2, 3}));
  ASSERT_EQ(size_of(image), (Size{2, 3}));
  EXPECT_DOUBLE_EQ(image(0, 2), 100.0 / 255.0);
  EXPECT_DOUBLE_EQ(image(1, 0), 150.0 / 255.0);
}

TEST(Picture, SkipsWhatTheStrideSkips) {
  const std::vector<std::uint8_t> padded = {0, 50, 100, 77, 77, 150, 200, 255};
  const Image image = door::image_of(v0::Picture::grey(padded.data(), {2, 3}, 5));
  EXPECT_EQ(image, door::image_of(v0::Picture::grey(kGrey.data(), {2, 3})));
}

TEST(Picture, ReadsRowsFromTheBottomWithANegativeStride) {
  const Image image = door::image_of(v0::Picture::grey(kGrey.data() + 3, {2, 3}, -3));
  EXPECT_DOUBLE_EQ(image(0, 0), 150.0 / 255.0);
  EXPECT_DOUBLE_EQ(image(1, 2), 100.0 / 255.0);
}

TEST(Picture, ReadsPixelsWhereTheirOwnerKeepsThem) {
  const auto owner = std::make_shared<std::vector<std::uint8_t>>(kGrey);
  const v0::Picture kept = v0::Picture::grey(owner->data() + 3, {2, 3}, -3, owner);
  const v0::Picture copied = v0::Picture::grey(owner->data() + 3, {2, 3}, -3);
  EXPECT_EQ(door::image_of(kept), door::image_of(copied));
  EXPECT_EQ(owner.use_count(), 2);
  (*owner)[3] = 0;
  EXPECT_EQ(door::image_of(kept)(0, 0), 0.0);
  EXPECT_DOUBLE_EQ(door::image_of(copied)(0, 0), 150.0 / 255.0);
}

TEST(Picture, ACropIsUsedAsItIs) {
  const v0::Picture crop = v0::Picture::crop(kGrey.data(), {2, 3}, "ada");
  EXPECT_TRUE(crop.aligned);
  EXPECT_EQ(crop.person, "ada");
  EXPECT_EQ(door::image_of(crop), door::image_of(v0::Picture::grey(kGrey.data(), {2, 3})));
}

TEST(Picture, OneThatCouldNotBeHadSaysWhy) {
  v0::Picture picture = v0::Picture::unusable("The camera was covered.", "frame 7");
  picture.aligned = true;
  const Input input = door::input_of(picture);
  EXPECT_EQ(input.path, "frame 7");
  EXPECT_EQ(input.problem, "The camera was covered.");
  EXPECT_THROW(door::image_of(picture), Error);
}

TEST(Picture, GreyInColourIsExactlyGrey) {
  std::vector<std::uint8_t> levels;
  std::vector<std::uint8_t> colours;
  for (int level = 0; level < 256; ++level) {
    levels.push_back(static_cast<std::uint8_t>(level));
    colours.insert(colours.end(), 3, static_cast<std::uint8_t>(level));
  }
  EXPECT_EQ(door::image_of(v0::Picture::rgb(colours.data(), {16, 16})),
            door::image_of(v0::Picture::grey(levels.data(), {16, 16})));
}

TEST(Picture, WeighsColoursAsFilesDo) {
  const std::vector<std::uint8_t> red = {255, 0, 0};
  EXPECT_NEAR(door::image_of(v0::Picture::rgb(red.data(), {1, 1}))(0, 0), 0.299, 1e-12);
}

TEST(Picture, EncodedBytesGiveWhatTheFileGives) {
  const Image image = door::image_of(v0::Picture::grey(kGrey.data(), {2, 3}));
  const v0::Picture picture = v0::Picture::encoded(encode_image(image, ".png"), "a.png");
  EXPECT_EQ(picture.name, "a.png");
  EXPECT_EQ(door::image_of(picture), image);
}

TEST(Picture, TheHeaderOfAnImageSaysItsSize) {
  const v0::Plane plane{{3, 5}, std::vector<float>(15, 0.5F)};
  const std::string bytes = v0::encode_plane(plane);
  EXPECT_EQ(v0::image_size(bytes), (v0::Size{3, 5}));
  EXPECT_EQ(v0::image_size(bytes.substr(0, 12)), std::nullopt);
  EXPECT_EQ(v0::image_size("no image"), std::nullopt);
  EXPECT_EQ(door::image_of(v0::Picture::encoded(bytes)).rows(), 3);
}

TEST(Picture, AFileIsNamedAfterWhomItShows) {
  EXPECT_EQ(v0::person_of_file("photos/anna_2.jpg"), "anna");
  EXPECT_EQ(v0::person_of_file("ben.png"), "ben");
}

TEST(Picture, RefusesWhatCannotBe) {
  EXPECT_THROW(v0::Picture::grey(nullptr, {2, 3}), Error);
  EXPECT_THROW(v0::Picture::grey(kGrey.data(), {0, 3}), Error);
  EXPECT_THROW(v0::Picture::grey(kGrey.data(), {2, 3}, 2), Error);
  EXPECT_THROW(v0::Picture::rgb(kGrey.data(), {1, 2}, 3), Error);
}

TEST(Picture, SaysOnlyWhenReadThatItIsBad) {
  EXPECT_EQ(kind_of_reading(v0::Picture::file("/nonexistent/a.png")), ErrorKind::not_found);
  EXPECT_EQ(kind_of_reading(v0::Picture::encoded("no image")), ErrorKind::bad_input);
  EXPECT_EQ(kind_of_reading(v0::Picture::encoded("")), ErrorKind::bad_input);
}

TEST(Picture, AnUnreadableCropIsAnInputWithAProblem) {
  v0::Picture crop = v0::Picture::encoded("no image");
  crop.aligned = true;
  EXPECT_NE(door::input_of(crop).problem, "");
}

TEST(Picture, EyesOfACropSayItsFrame) {
  v0::Picture crop = v0::Picture::grey(std::vector<std::uint8_t>(480, 9).data(), {24, 20});
  crop.aligned = true;
  crop.eyes = v0::Eyes{{5.0, 12.0}, {15.0, 12.0}};
  const Input input = door::input_of(crop);
  ASSERT_TRUE(input.aligned);
  EXPECT_DOUBLE_EQ(input.aligned->eyes.left.x, 0.25);
  EXPECT_DOUBLE_EQ(input.aligned->eyes.left.y, 0.5);
  EXPECT_DOUBLE_EQ(input.aligned->aspect, 1.2);
}

TEST(Picture, LoadingNothingIsNotFound) {
  EXPECT_THROW(v0::load({"/nonexistent"}, v0::Purpose::enroll), Error);
}

// A manifest of a photo to enrol, one that is not there, and one to train with.
class LoadingAManifest : public testing::Test {
 protected:
  LoadingAManifest() {
    fs::create_directories(folder_);
    const v0::Plane plane{{2, 3}, std::vector<float>(6, 0.5F)};
    v0::write_plane(folder_ / "a.png", plane);
    v0::write_plane(folder_ / "c.png", plane);
    v0::write_file(folder_ / "manifest.csv",
                   "path,subject,role\na.png,ada,gallery\nb.png,bob,gallery\nc.png,carl,train\n");
  }
  ~LoadingAManifest() override { fs::remove_all(folder_); }

  fs::path folder_ = fs::path(testing::TempDir()) / fmt::format("manifest_{}", getpid());
};

TEST_F(LoadingAManifest, TakesTheRoleThatIsMeant) {
  const v0::PictureList list = v0::load({folder_}, v0::Purpose::train);
  ASSERT_EQ(list.pictures.size(), 1U);
  EXPECT_EQ(list.pictures[0].person, "carl");
  EXPECT_EQ(v0::load({folder_}, v0::Purpose::any).pictures.size() +
                v0::load({folder_}, v0::Purpose::any).rejections.size(),
            3U);
}

TEST_F(LoadingAManifest, KeepsAnUnusableOneInItsPlaceIfAsked) {
  const v0::PictureList list =
      v0::load({folder_, folder_ / "none"}, v0::Purpose::enroll, v0::Unusable::keep);
  EXPECT_TRUE(list.rejections.empty());
  ASSERT_EQ(list.pictures.size(), 3U);
  EXPECT_EQ(list.pictures[0].person, "ada");
  EXPECT_EQ(fs::path(list.pictures[1].name).filename(), "manifest.csv:3");
  const Input unusable = door::input_of(list.pictures[2]);
  EXPECT_NE(unusable.problem, "");
  EXPECT_EQ(kind_of_reading(list.pictures[2]), ErrorKind::bad_input);
  EXPECT_EQ(v0::load({folder_, folder_ / "none"}, v0::Purpose::enroll).rejections.size(), 2U);
}

TEST_F(LoadingAManifest, SomebodySaysWhoItIs) {
  const auto person = [&](v0::PersonFrom from) {
    return v0::load({folder_ / "a.png"}, v0::Purpose::enroll, v0::Unusable::reject, from)
        .pictures.at(0)
        .person;
  };
  EXPECT_EQ(person(v0::PersonFrom::stem), "a");
  EXPECT_EQ(person(v0::PersonFrom::folder), folder_.filename().string());
  EXPECT_THROW(person(v0::PersonFrom::manifest), Error) << "a single image has none";
  fs::copy_file(folder_ / "a.png", folder_ / "07.png");
  EXPECT_EQ(v0::load({folder_ / "07.png"}, v0::Purpose::enroll).pictures.at(0).person, "07");
  EXPECT_THROW(v0::load({folder_ / "07.png"}, v0::Purpose::enroll, v0::Unusable::reject,
                        v0::PersonFrom::layout),
               Error);
}

TEST(Size, IsRowsByColumns) {
  EXPECT_EQ(v0::parse_size("7x6"), (v0::Size{7, 6}));
  EXPECT_EQ(v0::to_string(v0::Size{48, 40}), "48x40");
  EXPECT_THROW(v0::parse_size("7"), Error);
}

}  // namespace
}  // namespace longshot
