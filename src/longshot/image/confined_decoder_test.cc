// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/confined_decoder.h"

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "longshot/core/confined_process.h"
#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/image/image_io.h"
#include "longshot/image/still_messages.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// What became of the bytes: the pixels, or the sentence.
struct Outcome {
  DecodedPhoto photo;
  std::string sentence;
};

template <typename Decode>
Outcome outcome_of(const Decode& decode) {
  try {
    return {decode(), ""};
  } catch (const Error& error) {
    return {{}, error.what()};
  }
}

Outcome outcome_in_helper(std::string_view bytes, std::string_view name,
                          const ReadLimits& limits = {}) {
  return outcome_of([&] { return decode_confined(bytes, name, limits); });
}

void expect_the_same(std::string_view bytes, const std::string& name,
                     const ReadLimits& limits = {}) {
  const Outcome here = outcome_of([&] { return decode_still(bytes, name, limits); });
  const Outcome there = outcome_in_helper(bytes, name, limits);
  EXPECT_EQ(there.sentence, here.sentence);
  EXPECT_EQ(there.photo.image, here.photo.image) << name;
  EXPECT_EQ(there.photo.damaged, here.photo.damaged) << name;
}

// So large that its pixels take several messages.
std::string large_picture() {
  return encode_image(
      Image::NullaryExpr(
          700, 500,
          [](Index r, Index c) { return static_cast<double>((r * 7 + c * 13) % 256) / 255.0; }),
      ".jpg");
}

TEST(ConfinedDecoder, GivesTheSamePixelsAndSentencesAsThisProcess) {
  int pictures = 0;
  for (const auto& file : fs::directory_iterator(LONGSHOT_SOURCE_DIR "/fuzz/cases/image")) {
    expect_the_same(read_file(file.path()), file.path().string());
    ++pictures;
  }
  EXPECT_GE(pictures, 10);
  expect_the_same(large_picture(), "large.jpg");
  expect_the_same("", "empty.jpg");
  expect_the_same("no picture", "text.jpg");
  ReadLimits limits;
  limits.max_pixels = 100;
  expect_the_same(large_picture(), "many pixels", limits);
  limits = {};
  limits.max_memory = 1000;
  expect_the_same(large_picture(), "little memory", limits);
  limits = {};
  limits.max_bytes = 1000;
  expect_the_same(large_picture(), "many bytes", limits);
}

TEST(ConfinedDecoder, TellsTheSize) {
  EXPECT_EQ(confined_size(large_picture()), (Size{700, 500}));
  EXPECT_EQ(confined_size("no picture"), std::nullopt);
}

TEST(ConfinedDecoder, ServesManyThreads) {
  const std::string bytes = large_picture();
  const Image expected = decode_still(bytes, "x").image;
  std::vector<std::thread> threads;
  std::vector<Image> images(6);
  for (Image& image : images) {
    threads.emplace_back([&] {
      for (int round = 0; round < 3; ++round) image = decode_confined(bytes, "x", {}).image;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Image& image : images) EXPECT_EQ(image, expected);
}

TEST(ConfinedDecoder, AForkedProcessHasHelpersOfItsOwn) {
  const std::string bytes = large_picture();
  const Image expected = decode_confined(bytes, "x", {}).image;
  const pid_t child = ::fork();
  if (child == 0) std::_Exit(decode_confined(bytes, "x", {}).image == expected ? 0 : 1);
  EXPECT_EQ(decode_confined(bytes, "x", {}).image, expected);
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(decode_confined(bytes, "x", {}).image, expected);
}

// With helpers that a hostile picture has taken over: they do what the name of the picture says.
class ConfinedDecoderAttack : public testing::Test {
 protected:
  void SetUp() override {
    confine_decoders(false);  // whose helpers wait no more
    good_ = find_helper(kStillHelper).parent_path();
    folder_ = fs::path(testing::TempDir()) / "misbehaving";
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fs::create_symlink(good_ / "longshot-misbehaving", folder_ / kStillHelper);
    set_helper_folder(folder_);
    limits_.max_seconds = 0.01;
  }
  void TearDown() override {
    confine_decoders(false);
    set_helper_folder(good_);
  }

  std::string sentence_about(const std::string& name) const {
    return outcome_in_helper("bytes", name, limits_).sentence;
  }

  fs::path good_;
  fs::path folder_;
  ReadLimits limits_;
};

TEST_F(ConfinedDecoderAttack, EveryPictureGetsASentenceAndTheNextOneIsDecoded) {
  for (const auto& [name, reason] :
       {std::pair("spin", "of processor time"), std::pair("crash", "crashed (signal 6)"),
        std::pair("eat", "must not say"), std::pair("babble", "must not say"),
        std::pair("boast", "must not say"), std::pair("stranger", "must not say"),
        std::pair("negative", "must not say"), std::pair("endless", "must not say"),
        std::pair("large", "must not say"), std::pair("strange", "must not say"),
        std::pair("short", "must not say"), std::pair("long-winded", "must not say"),
        std::pair("nan", "nan")}) {
    EXPECT_THAT(sentence_about(name), AllOf(HasSubstr(name), HasSubstr(reason))) << name;
    EXPECT_EQ(sentence_about("well"), "") << name;
  }
}

TEST_F(ConfinedDecoderAttack, NobodyAnswersForTheNextPicture) {
  EXPECT_EQ(sentence_about("forge"), "");
  EXPECT_EQ(outcome_in_helper("bytes", "well", limits_).photo.image, Image::Constant(4, 4, 0.5));
}

TEST_F(ConfinedDecoderAttack, NobodySeesTheNextPicture) {
#if defined(LONGSHOT_SANITIZE_ADDRESS) || defined(LONGSHOT_SANITIZE_THREAD)
  GTEST_SKIP() << "sanitizers need what is forbidden";
#endif
  EXPECT_EQ(sentence_about("linger"), "");
  EXPECT_EQ(outcome_in_helper("bytes", "well", limits_).photo.image, Image::Constant(4, 4, 0.5));
}

TEST_F(ConfinedDecoderAttack, WithoutTheHelperNothingIsDecoded) {
  fs::remove(folder_ / kStillHelper);
  EXPECT_THAT(sentence_about("well"), HasSubstr("longshot-stills is missing"));
  EXPECT_THROW(confine_decoders(true), Error);
  EXPECT_FALSE(decoders_are_confined());
}

TEST_F(ConfinedDecoderAttack, TurnedOnAllPicturesAreDecodedThere) {
  confine_decoders(true);
  EXPECT_EQ(decode_image(large_picture(), "well"), Image::Constant(4, 4, 0.5));
}

}  // namespace
}  // namespace longshot
