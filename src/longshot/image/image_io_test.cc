// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/image_io.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/image/image_header.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

Image gradient(Index rows, Index cols) {
  return Image::NullaryExpr(rows, cols, [&](Index r, Index c) {
    return static_cast<double>((r * 7 + c * 13) % 256) / 255.0;
  });
}

std::string message_for(std::string_view bytes, const ReadLimits& limits = {}) {
  try {
    decode_image(bytes, "x.png", limits);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class ImageFormats : public testing::TestWithParam<const char*> {};

TEST_P(ImageFormats, HeaderTellsTheSizeBeforeDecoding) {
  const std::string bytes = encode_image(gradient(33, 17), GetParam());
  const std::optional<ImageHeader> header = read_image_header(bytes);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->size, (Size{33, 17}));
  EXPECT_EQ(size_of(decode_image(bytes, "x")), (Size{33, 17}));
}

TEST_P(ImageFormats, TruncationNeverChangesAPixelUnnoticed) {
  const std::string bytes = encode_image(gradient(9, 11), GetParam());
  const Image whole = decode_image(bytes, "x");
  std::size_t refused = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    try {
      EXPECT_EQ(decode_image(std::string_view(bytes).substr(0, length), "x"), whole) << length;
    } catch (const Error&) {
      ++refused;
    }
  }
  // A TIFF may end in values that no pixel depends on; any other format must be whole.
  EXPECT_GE(refused, bytes.size() - (GetParam() == std::string_view(".tif") ? 24 : 0));
}

TEST_P(ImageFormats, PixelLimitIsCheckedOnTheHeader) {
  const std::string bytes = encode_image(gradient(33, 17), GetParam());
  EXPECT_THAT(message_for(bytes, {1 << 20, 500}), HasSubstr("claims 33x17 pixels"));
}

INSTANTIATE_TEST_SUITE_P(All, ImageFormats,
                         testing::Values(".png", ".jpg", ".pgm", ".bmp", ".tif", ".webp"));

TEST(ImageIo, LosslessFormatsKeepEveryByte) {
  const Image image = gradient(20, 30);
  for (const char* extension : {".png", ".pgm", ".bmp", ".tif"}) {
    const Image back = decode_image(encode_image(image, extension), "x");
    EXPECT_LT((back - image).cwiseAbs().maxCoeff(), 1e-12) << extension;
  }
}

TEST(ImageIo, ColourBecomesGreyWithTheStatedWeights) {
  // A binary PPM of one red, one green and one blue pixel.
  const std::string ppm = std::string("P6\n3 1\n255\n") + "\xFF" + std::string(3, '\0') + "\xFF" +
                          std::string(3, '\0') + "\xFF";
  const Image image = decode_image(ppm, "x");
  EXPECT_NEAR(image(0, 0), 0.299, 1e-12);
  EXPECT_NEAR(image(0, 1), 0.587, 1e-12);
  EXPECT_NEAR(image(0, 2), 0.114, 1e-12);
}

TEST(ImageIo, SixteenBitIsScaledToOne) {
  const std::string pgm = std::string("P5\n2 1\n65535\n") + "\xFF\xFF" + "\x80" + '\0';
  const Image image = decode_image(pgm, "x");
  EXPECT_DOUBLE_EQ(image(0, 0), 1.0);
  EXPECT_NEAR(image(0, 1), 32768.0 / 65535.0, 1e-12);
}

TEST(ImageIo, BadContentGetsOneSentence) {
  EXPECT_THAT(message_for(""), HasSubstr("empty"));
  EXPECT_THAT(message_for("just some text, not an image"), HasSubstr("is not a JPEG"));
  const std::string png = encode_image(gradient(50, 50), ".png");
  EXPECT_THAT(message_for(png.substr(0, 20)), HasSubstr("header is damaged"));
  EXPECT_THAT(message_for(png, {10, 100}), HasSubstr("the limit is 10"));
  EXPECT_THROW(decode_image(png, "x", {0, 1}), Error);
}

TEST(ImageIo, DamagedPngIsRefused) {
  std::string png = encode_image(gradient(50, 50), ".png");
  png[png.size() / 2] = static_cast<char>(png[png.size() / 2] ^ 1);
  EXPECT_THAT(message_for(png), HasSubstr("damaged"));
}

TEST(ImageIo, HugeHeaderIsRefusedWithoutDecoding) {
  std::string png = encode_image(gradient(8, 8), ".png");
  for (const std::size_t at : {std::size_t{16}, std::size_t{20}})
    png.replace(at, 4, std::string("\0\0\xEA\x60", 4));
  EXPECT_THAT(message_for(png), HasSubstr("claims 60000x60000 pixels"));
}

TEST(ImageIo, WriteThenReadAFile) {
  const fs::path path = fs::path(testing::TempDir()) / "write_then_read.png";
  const Image image = gradient(12, 10);
  write_image(path, image);
  EXPECT_LT((read_image(path) - image).cwiseAbs().maxCoeff(), 1e-12);
  write_image(path, ColorImage{image, image, image});
  EXPECT_LT((read_image(path) - image).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_THROW(write_image(path, ColorImage{image, image, Image::Zero(1, 1)}), Error);
  EXPECT_THROW(write_image(path.string() + ".xyz", image), Error);
  EXPECT_THROW(read_image(path.string() + ".none"), Error);
  fs::remove(path);
}

TEST(ImageIo, ExtensionsInEitherCase) {
  EXPECT_TRUE(has_image_extension("a/b.JPG"));
  EXPECT_TRUE(has_image_extension("b.pgm"));
  EXPECT_FALSE(has_image_extension("b.txt"));
  EXPECT_FALSE(has_image_extension("jpg"));
}

}  // namespace
}  // namespace longshot
