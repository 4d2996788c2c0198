// SPDX-License-Identifier: Apache-2.0
// Files that were made to hurt: each gets one sentence, nothing on stderr, and little memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/image/image_header.h"
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

using testing::HasSubstr;
using namespace std::string_view_literals;

Image slope(Index rows, Index cols) {
  return Image::NullaryExpr(rows, cols, [&](Index r, Index c) {
    return static_cast<double>((r * 5 + c * 3) % 256) / 255.0;
  });
}

// The sentence of the Error; whatever is printed on the way is a failure.
std::string refusal(std::string_view bytes, const ReadLimits& limits = {}) {
  testing::internal::CaptureStderr();
  std::string message;
  try {
    decode_image(bytes, "x", limits);
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  return message;
}

std::string little(std::uint32_t value, std::size_t width) {
  std::string bytes;
  for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

struct Tag {
  std::uint32_t tag;
  std::uint32_t value;
};

// An uncompressed grey TIFF of 4x4 whose directory says what the tags say.
std::string tiff(std::vector<Tag> tags) {
  const std::string pixels(16, '\x55');
  tags.push_back({273, 8});
  tags.push_back({279, 16});
  std::string bytes = std::string("II*\0"sv) + little(8 + 16, 4) + pixels +
                      little(static_cast<std::uint32_t>(tags.size()), 2);
  for (const Tag& tag : tags)
    bytes += little(tag.tag, 2) + little(4, 2) + little(1, 4) + little(tag.value, 4);
  return bytes + little(0, 4);
}

const std::vector<Tag> kPlainTiff = {{256, 4}, {257, 4}, {258, 8}, {259, 1},
                                     {262, 1}, {277, 1}, {278, 4}};

TEST(ImageAttack, ATiffThatSaysItsSizeTwiceIsDamaged) {
  EXPECT_EQ(refusal(tiff(kPlainTiff)), "");
  for (const std::uint32_t tag : {256U, 257U, 258U, 277U, 278U}) {
    std::vector<Tag> tags = kPlainTiff;
    tags.insert(tags.begin(), Tag{tag, tag == 258U ? 16U : 40000U});
    EXPECT_THAT(refusal(tiff(tags)), HasSubstr("header is damaged")) << tag;
  }
}

TEST(ImageAttack, ATiffOfHugeTilesIsRefusedByItsHeader) {
  std::vector<Tag> tags = kPlainTiff;
  tags.push_back({322, 1U << 20});
  tags.push_back({323, 1U << 20});
  EXPECT_THAT(refusal(tiff(tags)), HasSubstr("more memory than the limit of 500 MB"));
}

TEST(ImageAttack, MemoryIsLimitedInEveryFormat) {
  ReadLimits limits;
  limits.max_memory = Index{1} << 20;
  for (const char* extension : {".png", ".jpg", ".pgm", ".bmp", ".tif", ".webp"}) {
    const std::string bytes = encode_image(slope(400, 400), extension);
    EXPECT_THAT(refusal(bytes, limits), HasSubstr("more memory than the limit of 1 MB"))
        << extension;
  }
}

TEST(ImageAttack, NoCopyOfAPhotoInColourIsHeld) {
  // 400x400 numbers in double precision, and a row.
  ReadLimits limits;
  limits.max_memory = 1'290'000;
  for (const char* extension : {".png", ".jpg"}) {
    EXPECT_EQ(refusal(encode_image(slope(400, 400), extension), limits), "") << extension;
  }
}

TEST(ImageAttack, TimeIsLimitedInEveryFormat) {
  ReadLimits limits;
  limits.max_seconds = 1e-9;
  for (const char* extension : {".png", ".jpg", ".pgm", ".bmp", ".tif", ".webp"}) {
    EXPECT_THAT(refusal(encode_image(slope(64, 64), extension), limits), HasSubstr("takes longer"))
        << extension;
  }
  EXPECT_THROW(decode_image("x", "x", {1, 1, 1, 0.0}), Error);
  EXPECT_THROW(decode_image("x", "x", {1, 1, 0, 1.0}), Error);
}

TEST(ImageAttack, ADamagedJpegIsUsedButSaysSo) {
  std::string jpeg = encode_image(slope(64, 64), ".jpg");
  EXPECT_FALSE(decode_photo(jpeg, "x").damaged);
  const std::size_t scan = jpeg.find("\xFF\xDA");
  ASSERT_NE(scan, std::string::npos);
  jpeg.erase(scan + 60, 40);
  testing::internal::CaptureStderr();
  EXPECT_TRUE(decode_photo(jpeg, "x").damaged);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ImageAttack, NothingIsPrintedAboutDamage) {
  for (const char* extension : {".png", ".jpg", ".bmp", ".tif", ".webp", ".pgm"}) {
    const std::string bytes = encode_image(slope(32, 32), extension);
    for (const std::size_t size : {bytes.size() / 2, bytes.size() - 3}) {
      refusal(std::string_view(bytes).substr(0, size));
    }
    for (std::size_t at = 0; at < bytes.size(); at += 11) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
      refusal(damaged);
    }
  }
}

TEST(ImageAttack, NothingIsPrintedAboutTextInPlaceOfNumbers) {
  for (const std::string_view bytes :
       {"P2\n2 2\n255\n1 2 3 x"sv, "P3\n2 2\n70000\n1 2 3"sv, "P5\n2 2\nx\n1234567"sv,
        "P2\n2 2\n"sv, "P6 2 2 0 123456789abcdef"sv}) {
    EXPECT_THAT(refusal(bytes), HasSubstr("Cannot read x")) << bytes;
  }
}

TEST(ImageAttack, AnAnimationIsCalledOne) {
  std::string webp = encode_image(slope(32, 32), ".webp");
  const std::string still = webp.substr(12);
  webp = "RIFF" + little(static_cast<std::uint32_t>(still.size() + 4 + 18), 4) + "WEBPVP8X" +
         little(10, 4) + std::string("\x02\0\0\0"sv) + little(31, 3) + little(31, 3) + still;
  EXPECT_THAT(refusal(webp), HasSubstr("is an animation"));
}

TEST(ImageAttack, TextNeedsNoFinalLineEnd) {
  EXPECT_NEAR(decode_image("P2\n2 1\n255\n255 51", "x")(0, 1), 0.2, 1e-12);
  EXPECT_NEAR(decode_image("P3\n1 1\n255\n51 51 51", "x")(0, 0), 0.2, 1e-12);
}

// A JPEG whose EXIF says how it was held.
std::string held(const std::string& jpeg, std::uint32_t orientation) {
  const std::string exif = std::string("Exif\0\0II*\0"sv) + little(8, 4) + little(1, 2) +
                           little(0x112, 2) + little(3, 2) + little(1, 4) + little(orientation, 4) +
                           little(0, 4);
  const auto length = static_cast<std::uint32_t>(exif.size() + 2);
  return jpeg.substr(0, 2) + "\xFF\xE1" + static_cast<char>(length >> 8) +
         static_cast<char>(length & 0xFF) + exif + jpeg.substr(2);
}

TEST(Orientation, PhotosAreTurnedAsTheyWereHeld) {
  const std::string jpeg = encode_image(slope(24, 16), ".jpg");
  const Image stored = decode_image(jpeg, "x");
  const auto turned = [&](std::uint32_t orientation) {
    return decode_image(held(jpeg, orientation), "x");
  };
  EXPECT_EQ(turned(1), stored);
  EXPECT_EQ(turned(2), stored.rowwise().reverse());
  EXPECT_EQ(turned(3), stored.reverse());
  EXPECT_EQ(turned(4), stored.colwise().reverse());
  EXPECT_EQ(turned(5), stored.transpose());
  EXPECT_EQ(turned(6), stored.transpose().rowwise().reverse());
  EXPECT_EQ(turned(7), stored.transpose().reverse());
  EXPECT_EQ(turned(8), stored.transpose().colwise().reverse());
  EXPECT_EQ(turned(9), stored);
}

TEST(Orientation, WebpIsTurnedByItsExif) {
  const std::string plain = encode_image(slope(24, 16), ".webp");
  const Image stored = decode_image(plain, "x");
  for (const std::string_view prefix : {""sv, "Exif\0\0"sv}) {
    std::string exif(prefix);
    exif += std::string("II*\0"sv) + little(8, 4) + little(1, 2) + little(0x112, 2) + little(3, 2) +
            little(1, 4) + little(6, 4) + little(0, 4);
    const std::string body = "WEBPVP8X" + little(10, 4) + std::string("\x08\0\0\0"sv) +
                             little(15, 3) + little(23, 3) + plain.substr(12) + "EXIF" +
                             little(static_cast<std::uint32_t>(exif.size()), 4) + exif;
    const std::string webp = "RIFF" + little(static_cast<std::uint32_t>(body.size()), 4) + body;
    EXPECT_EQ(decode_image(webp, "x"), stored.transpose().rowwise().reverse());
  }
}

}  // namespace
}  // namespace longshot
