// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "longshot/core/file.h"
#include "longshot/crop_test.h"  // first: it keeps the two faces apart
#include "longshot/image/image_io.h"
#include "longshot/synthetic/synthetic_photo.h"
#include "longshot/track_sheet.h"
#include "longshot/track_value.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;

v0::Answer answer_about(const std::string& name, const std::string& person, bool known) {
  v0::Answer answer;
  answer.name = name;
  answer.size = {12, 10};
  answer.known = known;
  answer.candidates = {{person, known ? 0.98 : 0.2, 0.4}};
  return answer;
}

// A track of so many frames that all show the same face.
v0::Track track_of(const Image& photo, std::size_t frames) {
  FaceTrack found;
  v0::Track track;
  track.source = "walk.avi";
  track.number = 1;
  for (std::size_t k = 0; k < frames; ++k) {
    TrackedFace face;
    face.frame = static_cast<Index>(k);
    face.patch = photo;
    face.eyes = eyes_in_pixels(FaceFrame(), size_of(photo));
    face.face.eyes = face.eyes;
    found.faces.push_back(face);
    track.faces.push_back({face.frame, 0.04 * static_cast<double>(k), door::outer(face.face), 1.0});
  }
  track.value = std::make_shared<const v0::Track::Value>(v0::Track::Value{found});
  return track;
}

class Annotation : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / fmt::format("annotation_{}", getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    write_image(folder_ / "group.png", Image::Constant(60, 80, 0.5));
  }
  void TearDown() override { fs::remove_all(folder_); }

  v0::Gallery gallery_of_three() const {
    v0::Gallery gallery = v0::Gallery::open_or_create(folder_ / "g");
    enroll_crops(gallery, 3);
    return gallery;
  }

  fs::path folder_;
};

TEST_F(Annotation, EachFaceOfAStillHasItsBoxAndALineOfTheLegend) {
  v0::Gallery gallery = gallery_of_three();
  const v0::Picture group = v0::Picture::file(folder_ / "group.png");
  v0::Answers answers;
  answers.answers = {answer_about(group.name, "J\xC3\xB6rg, \"A\"", true),
                     answer_about(group.name, "=eve", false)};
  answers.answers[0].face = v0::FoundFace{{10.0, 30.0, 20.0, 20.0}, {}, 0.0, 1.0, 1.0};
  answers.answers[1].face = v0::FoundFace{{50.0, 30.0, 20.0, 20.0}, {}, 0.0, 1.0, 1.0};
  const fs::path out = folder_ / "out";
  const v0::Annotated drawn = gallery.annotate(out, {group}, {}, answers);
  ASSERT_THAT(drawn.rejections, SizeIs(0));
  ASSERT_THAT(drawn.files, SizeIs(2));
  EXPECT_THAT(drawn.files[0], EndsWith("out/0001_group.png"));
  EXPECT_THAT(drawn.answers.answers[1].annotated, testing::ElementsAre(drawn.files[0]));
  EXPECT_THAT(v0::to_json(drawn.answers), HasSubstr("\"annotated\""));
  const Image picture = read_image(drawn.files[0]);
  ASSERT_EQ(size_of(picture), (Size{8 * 60, 8 * 80}));
  EXPECT_NEAR(picture(8 * 30, 8 * 20), 0.299 * 0.3 + 0.587 + 0.114 * 0.4, 0.02);
  EXPECT_NEAR(picture(8 * 30, 8 * 60), 0.299 + 0.587 * 0.8 + 0.114 * 0.2, 0.02);
  EXPECT_NEAR(picture(8 * 40, 8 * 20), 0.5, 0.01);
  EXPECT_EQ(fs::status(drawn.files[0]).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::status(out).permissions(), fs::perms::owner_all);
  const std::string legend = read_file(out / "legend.csv");
  EXPECT_THAT(legend, HasSubstr("0001_group.png,1,"));
  EXPECT_THAT(legend, HasSubstr(",known,\"J\xC3\xB6rg, \"\"A\"\"\",0.9800\n"));
  EXPECT_THAT(legend, HasSubstr(",unknown,'=eve,0.2000\n"));
}

TEST_F(Annotation, NothingIsOverwritten) {
  v0::Gallery gallery = gallery_of_three();
  const auto refused = [&](const fs::path& out) -> std::optional<ErrorKind> {
    try {
      gallery.annotate(out, {}, {}, {});
    } catch (const Error& error) {
      return error.kind();
    }
    return std::nullopt;
  };
  EXPECT_EQ(refused(folder_), ErrorKind::already_there);
  EXPECT_EQ(refused(folder_ / "group.png"), ErrorKind::already_there);
  EXPECT_TRUE(refused(folder_ / "group.png/out"));
  fs::create_directories(folder_ / "empty");
  EXPECT_THAT(gallery.annotate(folder_ / "empty", {}, {}, {}).files, SizeIs(1));
}

TEST_F(Annotation, WhatFailsMidwayKeepsAnswersAndPictures) {
  v0::Gallery gallery = gallery_of_three();
  const v0::Picture group = v0::Picture::file(folder_ / "group.png");
  v0::Answers answers;
  answers.answers = {answer_about(group.name, "anna", true), answer_about("gone.avi", "eve", true)};
  answers.answers[1].track = 1;
  v0::ClipTracks clip;
  clip.tracks = {track_of(take_photo(make_person(3, 1), {}, 0).image, 3)};
  clip.tracks[0].source = "gone.avi";
  const v0::Annotated drawn = gallery.annotate(folder_ / "out", {group}, {clip}, answers);
  ASSERT_THAT(drawn.rejections, SizeIs(1));
  EXPECT_THAT(drawn.rejections[0].reason, HasSubstr("the answers are complete"));
  EXPECT_THAT(drawn.rejections[0].reason, HasSubstr("gone.avi"));
  EXPECT_THAT(drawn.files, SizeIs(2));
  EXPECT_THAT(drawn.answers.answers, SizeIs(2));
}

TEST_F(Annotation, StoppingKeepsWhatIsDrawn) {
  v0::Gallery gallery = gallery_of_three();
  const v0::Picture group = v0::Picture::file(folder_ / "group.png");
  v0::Answers answers;
  for (int k = 0; k < 4; ++k) answers.answers.push_back(answer_about(group.name, "anna", true));
  const v0::Annotated drawn = gallery.annotate(
      folder_ / "out", {group, group, group, group}, {}, answers, {}, {},
      [](std::string_view, std::ptrdiff_t done, std::ptrdiff_t) { return done < 2; });
  EXPECT_THAT(drawn.rejections, SizeIs(1));
  EXPECT_THAT(drawn.files, SizeIs(3));  // two pictures and the legend
}

TEST_F(Annotation, ASheetShowsEveryUsedFrame) {
  const Image photo = take_photo(make_person(3, 1), {}, 0).image;
  const v0::Answer answer = answer_about("walk.avi", "anna", true);
  const ColorImage few = door::track_sheet(track_of(photo, 3), answer, {});
  const ColorImage more = door::track_sheet(track_of(photo, 17), answer, {});
  const ColorImage most = door::track_sheet(track_of(photo, 300), answer, {});
  EXPECT_EQ(few.red.cols(), more.red.cols());
  EXPECT_EQ(more.red.rows() - few.red.rows(), 2 * (144 + 18 + 8));
  EXPECT_EQ(most.red.rows() - few.red.rows(), 24 * (144 + 18 + 8));  // 200 of them in 25 rows
  const v0::Plane black{{12, 10}, std::vector<float>(120, 0.0F)};
  const ColorImage compared = door::track_sheet(track_of(photo, 3), answer,
                                                {{black, black, black, black, black, 0.0, 0.0}});
  EXPECT_LT(compared.red.sum(), few.red.sum() - 0.95 * 288 * 240);
  EXPECT_THROW(door::track_sheet(v0::Track(), answer, {}), Error);
}

}  // namespace
}  // namespace longshot
