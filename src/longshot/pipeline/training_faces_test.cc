// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/training_faces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

using testing::HasSubstr;

TrainingFaces small_set() {
  TrainingFaces faces;
  faces.size = {3, 2};
  faces.subjects = {0, 0, 1};
  for (int i = 0; i < 18; ++i) faces.pixels.push_back(static_cast<std::uint8_t>(14 * i));
  faces.prior = {faces.size, Vector::Constant(6, 0.5), Vector::Constant(6, 0.1)};
  return faces;
}

std::string message_of(std::string_view bytes) {
  try {
    decode_training(bytes, "x.model");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TrainingFaces, ComeBackAsTheyWere) {
  const TrainingFaces faces = small_set();
  const TrainingFaces back = decode_training(encode_training(faces), "x.model");
  EXPECT_EQ(back.frame, faces.frame);
  EXPECT_EQ(back.size, faces.size);
  EXPECT_EQ(back.pixels, faces.pixels);
  EXPECT_EQ(back.subjects, faces.subjects);
  EXPECT_EQ(back.prior.mean, faces.prior.mean);
  EXPECT_EQ(back.prior.variance, faces.prior.variance);
  EXPECT_EQ(back.people(), 2);
  EXPECT_DOUBLE_EQ(back.photos()(1, 2), 14.0 * 13.0 / 255.0);
}

TEST(TrainingFaces, GreyLevelsAreRoundedAndClipped) {
  const Vector values{{-0.5, 0.0, 0.5, 1.0, 7.0}};
  EXPECT_THAT(grey_levels(values), testing::ElementsAre(0, 0, 128, 255, 255));
}

TEST(TrainingFaces, EveryCutAndEveryChangedByteIsNoticed) {
  const std::string bytes = encode_training(small_set());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(message_of(std::string_view(bytes).substr(0, size)), "") << size;
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    EXPECT_NE(message_of(damaged), "") << at;
  }
  EXPECT_NE(message_of(bytes + "x"), "");
}

TEST(TrainingFaces, ANewerVersionAndOtherFilesAreNamed) {
  std::string newer = encode_training(small_set());
  newer[7] = 9;
  EXPECT_EQ(message_of(newer),
            "x.model is a model of version 9, but this longshot reads up to version 1.");
  EXPECT_THAT(message_of("hello"), HasSubstr("is not a model made by \"longshot train\""));
}

TEST(TrainingFaces, PartsThatDoNotFitAreRefused) {
  TrainingFaces faces = small_set();
  faces.subjects.push_back(0);
  EXPECT_THROW(encode_training(faces), Error);
  faces = small_set();
  faces.subjects[0] = 7;
  EXPECT_THROW(encode_training(faces), Error);
}

}  // namespace
}  // namespace longshot
