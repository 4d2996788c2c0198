// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/identifier.h"

#include <cmath>

#include <gmock/gmock.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/core/parallel.h"
#include "longshot/pipeline/small_gallery_test.h"
#include "longshot/pipeline/verifier.h"

namespace longshot {
namespace {

using testing::HasSubstr;

using Identify = SmallGallery;

TEST_F(Identify, FindsMostPeopleUnderOtherLights) {
  GalleryStore gallery = make_gallery(12);
  std::vector<Input> probes;
  for (Index i = 0; i < 12; ++i) probes.push_back(probe(i, 1));
  const std::vector<Identification> answers = Identifier(gallery, {}).identify(probes).answers;
  ASSERT_EQ(answers.size(), 12U);
  Index right = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(answers[i].path, probes[i].path);
    EXPECT_EQ(answers[i].size, (Size{12, 10}));
    EXPECT_EQ(answers[i].error, "");
    ASSERT_EQ(answers[i].candidates.size(), 5U);
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_GE(answers[i].candidates[k].score, 0.0);
      EXPECT_LE(answers[i].candidates[k].score, 1.0);
      if (k == 0) continue;
      EXPECT_GE(answers[i].candidates[k].residual, answers[i].candidates[k - 1].residual);
      EXPECT_LE(answers[i].candidates[k].score, answers[i].candidates[k - 1].score);
    }
    right += answers[i].candidates[0].person == name(static_cast<Index>(i)) ? 1 : 0;
  }
  EXPECT_GE(right, 10);
}

// Synthetic people in other lights are told apart by their pixels: they are of one day. Of few
// probes, or without a camera of their own, nothing is said.
TEST_F(Identify, ManyProbesSayWhetherTheyAreOfTheGallerysDay) {
  GalleryStore gallery = make_gallery(25);
  std::vector<Input> probes;
  for (Index i = 0; i < 25; ++i) probes.push_back(probe(i, 1));
  IdentifyOptions options;
  options.learn_camera = true;
  const auto days_of_all = [&](const std::vector<Input>& asked) {
    const Identifications result = Identifier(gallery, options).identify(asked);
    EXPECT_EQ(result.cameras.size(), 1U);
    return result.cameras.front().days;
  };
  EXPECT_EQ(days_of_all(probes), Days::kSame);
  EXPECT_EQ(days_of_all({probes.begin(), probes.begin() + 12}), Days::kUnknown);
  options.method = "longshot-pixels";
  EXPECT_EQ(days_of_all(probes), Days::kUnknown);
}

TEST_F(Identify, EvenOnePersonIsTellableFromStrangers) {
  GalleryStore gallery = make_gallery(1);
  std::vector<Input> probes = {probe(0, 0)};
  for (Index i = 20; i < 40; ++i) probes.push_back(probe(i, 1));
  const std::vector<Identification> answers = Identifier(gallery, {}).identify(probes).answers;
  EXPECT_TRUE(answers[0].known);
  Index taken_for_her = 0;
  for (std::size_t i = 1; i < answers.size(); ++i) taken_for_her += answers[i].known ? 1 : 0;
  EXPECT_LE(taken_for_her, 1);
}

TEST_F(Identify, TheRateDecidesWhoIsKnown) {
  GalleryStore gallery = make_gallery(3);
  IdentifyOptions options;
  const std::vector<Input> probes = {probe(0, 1), probe(9, 1)};
  options.fpir = 1.0;
  for (const Identification& answer : Identifier(gallery, options).identify(probes).answers) {
    EXPECT_TRUE(answer.known);
  }
  options.fpir = 0.0;
  for (const Identification& answer : Identifier(gallery, options).identify(probes).answers) {
    EXPECT_FALSE(answer.known);
  }
}

TEST_F(Identify, SaysWhereTheLineIsAndHowFarFromIt) {
  GalleryStore gallery = make_gallery(4);
  IdentifyOptions options;
  options.fpir = 0.3;
  std::vector<Input> probes;
  for (Index i = 0; i < 8; ++i) probes.push_back(probe(i, 1));
  for (const Identification& answer : Identifier(gallery, options).identify(probes).answers) {
    EXPECT_EQ(answer.known, answer.margin > 0.0);
    EXPECT_EQ(answer.known, answer.candidates[0].score > answer.threshold);
    const auto decades = [](double score) { return std::log10(score / (1.0 - score)); };
    EXPECT_NEAR(answer.margin, decades(answer.candidates[0].score) - decades(answer.threshold),
                1e-6);
    EXPECT_EQ(answer.fpir, 0.3);
    EXPECT_EQ(answer.people, 4);
  }
}

TEST_F(Identify, ResidualsMeanTheSameForOneFrameAndForMany) {
  GalleryStore gallery = make_gallery(4);
  const std::vector<Input> frames = {input("track/1.png", degrade(face(2, 1), {12, 10})),
                                     input("track/2.png", degrade(face(2, 1), {12, 10}))};
  IdentifyOptions options;
  const std::vector<Identification> single = Identifier(gallery, options).identify(frames).answers;
  options.fuse_folders = true;
  const std::vector<Identification> fused = Identifier(gallery, options).identify(frames).answers;
  ASSERT_EQ(fused.size(), 1U);
  for (std::size_t k = 0; k < fused[0].candidates.size(); ++k) {
    EXPECT_EQ(fused[0].candidates[k].person, single[0].candidates[k].person);
    EXPECT_NEAR(fused[0].candidates[k].residual, single[0].candidates[k].residual, 1e-4);
  }
  // A frame that comes twice adds nothing.
  EXPECT_NEAR(fused[0].threshold, single[0].threshold, 1e-3);
  EXPECT_NEAR(fused[0].margin, single[0].margin, 1e-2);
}

TEST_F(Identify, ABadProbeIsAnErrorInItsPlace) {
  GalleryStore gallery = make_gallery(3);
  Input broken = probe(1, 1);
  write_file(broken.sample.path, "not a picture");
  const Input black = input("probes/black.png", Image::Zero(12, 10));
  const Input tiny = probe(1, 2, {4, 3});
  const std::vector<Identification> answers =
      Identifier(gallery, {}).identify({probe(0, 1), broken, black, tiny, probe(2, 1)}).answers;
  ASSERT_EQ(answers.size(), 5U);
  EXPECT_EQ(answers[0].error, "");
  EXPECT_THAT(answers[1].error, HasSubstr("is not a JPEG"));
  EXPECT_THAT(answers[2].error, HasSubstr("Nothing can be seen"));
  EXPECT_THAT(answers[3].error, HasSubstr("too few"));
  EXPECT_EQ(answers[4].error, "");
  EXPECT_EQ(answers[1].candidates.size(), 0U);
}

TEST_F(Identify, ProbesOfSeveralSizesAreSearchedAtTheirOwn) {
  GalleryStore gallery = make_gallery(3);
  IdentifyOptions options;
  options.method = "subspace";
  const std::vector<Identification> answers =
      Identifier(gallery, options)
          .identify({probe(0, 1, {19, 16}), probe(1, 1, {7, 6}), probe(2, 1, {20, 17})})
          .answers;
  EXPECT_EQ(answers[0].size, (Size{19, 16}));
  EXPECT_EQ(answers[1].size, (Size{7, 6}));
  EXPECT_EQ(answers[2].size, (Size{19, 16}));
  EXPECT_EQ(gallery.index_keys().size(), 2U);
}

TEST_F(Identify, FramesOfAFolderGiveOneAnswer) {
  GalleryStore gallery = make_gallery(4);
  std::vector<Input> frames;
  for (std::uint64_t k = 1; k <= 4; ++k) {
    frames.push_back(input(fmt::format("track/{}.png", k), degrade(face(2, k), {12, 10})));
  }
  Input broken = input("track/5.png", face(2, 5));
  write_file(broken.sample.path, "not a picture");
  frames.push_back(broken);
  frames.push_back(input("other/1.png", degrade(face(1, 1), {12, 10})));
  IdentifyOptions options;
  options.fuse_folders = true;
  const std::vector<Identification> answers = Identifier(gallery, options).identify(frames).answers;
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].path, (folder_ / "track").string());
  EXPECT_EQ(answers[0].frames, 4);
  EXPECT_EQ(answers[0].rejections.size(), 1U);
  EXPECT_EQ(answers[0].candidates[0].person, name(2));
  EXPECT_EQ(answers[1].frames, 1);
  // Other lights do add something: another line is drawn.
  EXPECT_GT(std::abs(answers[0].threshold - answers[1].threshold), 1e-3);
}

TEST_F(Identify, ThreadsAndRepetitionChangeNothing) {
  GalleryStore gallery = make_gallery(5);
  const std::vector<Input> probes = {probe(0, 1), probe(3, 1)};
  set_thread_count(1);
  const std::vector<Identification> first = Identifier(gallery, {}).identify(probes).answers;
  forget_models(gallery);
  set_thread_count(3);
  const std::vector<Identification> second = Identifier(gallery, {}).identify(probes).answers;
  set_thread_count(0);
  for (std::size_t i = 0; i < probes.size(); ++i) {
    for (std::size_t k = 0; k < first[i].candidates.size(); ++k) {
      EXPECT_EQ(first[i].candidates[k].person, second[i].candidates[k].person);
      EXPECT_EQ(first[i].candidates[k].residual, second[i].candidates[k].residual);
      EXPECT_EQ(first[i].candidates[k].score, second[i].candidates[k].score);
    }
  }
}

TEST_F(Identify, ARemovedPersonIsNeverNamed) {
  GalleryStore gallery = make_gallery(4);
  const std::vector<Input> probes = {probe(1, 0)};
  EXPECT_EQ(Identifier(gallery, {}).identify(probes).answers[0].candidates[0].person, name(1));
  gallery.remove_person(name(1));
  const Identifications after = Identifier(gallery, {}).identify(probes);
  for (const Candidate& candidate : after.answers[0].candidates) {
    EXPECT_NE(candidate.person, name(1));
  }
}

TEST_F(Identify, MethodsThatCodeOverEverybodyWorkToo) {
  GalleryStore gallery = make_gallery(3);
  IdentifyOptions options;
  options.method = "crc";
  EXPECT_EQ(Identifier(gallery, options).identify({probe(1, 0)}).answers[0].candidates[0].person,
            name(1));
  gallery.remove_person(name(0));
  gallery.remove_person(name(1));
  EXPECT_THROW(Identifier(gallery, options).identify({probe(1, 0)}), Error);
}

TEST_F(Identify, BadOptionsAndAnEmptyGalleryAreErrors) {
  GalleryStore gallery = make_gallery(1);
  IdentifyOptions options;
  options.method = "magic";
  EXPECT_THROW(Identifier(gallery, options), Error);
  options = {};
  options.fpir = 1.5;
  EXPECT_THROW(Identifier(gallery, options), Error);
  options = {};
  options.top = 0;
  EXPECT_THROW(Identifier(gallery, options), Error);
  options = {};
  options.size = Size{96, 80};
  EXPECT_THROW(Identifier(gallery, options), Error);
  gallery.remove_person(name(0));
  EXPECT_THROW(Identifier(gallery, {}).identify({probe(0, 1)}), Error);
}

// Half of a JPEG's data are replaced, as by a bad cable: the decoder goes on and guesses.
std::string damaged_jpeg(const Image& image) {
  std::string bytes = encode_jpeg(image, 95);
  for (std::size_t i = bytes.size() / 2; i < bytes.size() - 2; i += 7) bytes[i] = '\x55';
  return bytes;
}

IdentifyOptions small_options() {
  IdentifyOptions options;
  options.method = "slrfr";
  options.size = Size{7, 6};
  return options;
}

TEST_F(Identify, ADamagedPhotoIsUsedOnlyWithARemark) {
  GalleryStore gallery = make_gallery(3);
  const std::string bytes = damaged_jpeg(face(1, 2));
  ASSERT_TRUE(decode_photo(bytes, "x").damaged);
  Input torn = photo(1, 2);
  write_file(folder_ / "torn.jpg", bytes);
  torn.path = (folder_ / "torn.jpg").string();
  torn.sample.path = torn.path;
  const Identifications found = Identifier(gallery, small_options()).identify({torn, photo(2, 1)});
  ASSERT_EQ(found.answers.size(), 2U);
  ASSERT_EQ(found.answers[0].warnings.size(), 1U);
  EXPECT_EQ(found.answers[0].warnings[0].path, torn.path);
  EXPECT_EQ(found.answers[0].warnings[0].reason, kDamagedPhoto);
  EXPECT_TRUE(found.answers[1].warnings.empty());
  VerifyOptions verify;
  verify.method = "slrfr";
  verify.size = Size{7, 6};
  EXPECT_EQ(Verifier(gallery, verify).verify({torn}, name(1)).warnings.size(), 1U);
  EnrolOptions force;
  force.force = true;
  const EnrolReport report = enrol(gallery, {torn}, force);
  EXPECT_EQ(report.photos, 1);
  EXPECT_THAT(report.warnings,
              testing::Contains(testing::Field(&Rejection::reason, kDamagedPhoto)));
}

TEST_F(Identify, NoScoreIsNotANumber) {
  GalleryStore gallery = make_gallery(3);
  const Identifier identifier(gallery, small_options());
  identifier.identify({photo(1, 1)});  // makes the index
  const std::string index = gallery.index_keys().at(0);
  for (const Person& person : gallery.people()) {
    std::vector<float> values = gallery.find_template(index, person.id).value();
    for (std::size_t i = 16; i < values.size(); ++i) values[i] = i % 2 == 0 ? 3e38F : -3e38F;
    gallery.put_template(index, person.id, values);
  }
  try {
    const Identifications found = Identifier(gallery, small_options()).identify({photo(1, 1)});
    for (const Candidate& candidate : found.answers.at(0).candidates) {
      EXPECT_FALSE(std::isnan(candidate.score) || std::isnan(candidate.residual));
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::damaged) << error.what();
  }
}

}  // namespace
}  // namespace longshot
