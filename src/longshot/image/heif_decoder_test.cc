// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/heif_decoder.h"

#include <cmath>
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libheif/heif.h>

#include "longshot/core/error.h"
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

using testing::AnyOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

// Bright at the top left, dark at the bottom right.
Image ramp() {
  Image image(48, 64);
  for (Index row = 0; row < image.rows(); ++row) {
    for (Index col = 0; col < image.cols(); ++col) {
      image(row, col) = 0.9 - 0.008 * static_cast<double>(row) - 0.005 * static_cast<double>(col);
    }
  }
  return image;
}

heif_error append(heif_context* /*context*/, const void* data, std::size_t size, void* text) {
  static_cast<std::string*>(text)->append(static_cast<const char*>(data), size);
  return {heif_error_Ok, heif_suberror_Unspecified, ""};
}

// Nothing if this libheif cannot write that.
std::string encoded(heif_compression_format format, heif_orientation orientation,
                    const std::string& exif = "") {
  const Image pixels = ramp();
  heif_context* context = heif_context_alloc();
  heif_encoder* encoder = nullptr;
  std::string bytes;
  if (heif_context_get_encoder_for_format(context, format, &encoder).code == heif_error_Ok) {
    heif_image* image = nullptr;
    const int rows = static_cast<int>(pixels.rows());
    const int cols = static_cast<int>(pixels.cols());
    heif_image_create(cols, rows, heif_colorspace_RGB, heif_chroma_interleaved_RGB, &image);
    heif_image_add_plane(image, heif_channel_interleaved, cols, rows, 8);
    int stride = 0;
    std::uint8_t* plane = heif_image_get_plane(image, heif_channel_interleaved, &stride);
    for (int row = 0; row < rows; ++row) {
      for (int at = 0; at < 3 * cols; ++at) {
        plane[row * stride + at] =
            static_cast<std::uint8_t>(std::lround(255.0 * pixels(row, at / 3)));
      }
    }
    heif_encoder_set_lossy_quality(encoder, 95);
    heif_encoding_options* options = heif_encoding_options_alloc();
    options->image_orientation = orientation;
    heif_image_handle* handle = nullptr;
    heif_context_encode_image(context, image, encoder, options, &handle);
    if (!exif.empty()) {
      heif_context_add_exif_metadata(context, handle, exif.data(), static_cast<int>(exif.size()));
    }
    heif_image_handle_release(handle);
    heif_writer writer{1, append};
    heif_context_write(context, &writer, &bytes);
    heif_encoding_options_free(options);
    heif_image_release(image);
    heif_encoder_release(encoder);
  }
  heif_context_free(context);
  return bytes;
}

class Heif : public testing::TestWithParam<heif_compression_format> {
 protected:
  void SetUp() override {
    bytes_ = encoded(GetParam(), heif_orientation_normal);
    if (bytes_.empty()) GTEST_SKIP() << "this libheif does not write that format";
  }
  static std::string refusal(const std::string& bytes, const ReadLimits& limits = {}) {
    try {
      decode_image(bytes, "x", limits);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  std::string bytes_;
};

TEST_P(Heif, IsRead) {
  const Image image = decode_image(bytes_, "x");
  ASSERT_EQ(size_of(image), size_of(ramp()));
  EXPECT_LT((image - ramp()).cwiseAbs().maxCoeff(), 0.05);
}

TEST_P(Heif, IsTurnedAsItSays) {
  const Image turned = decode_image(encoded(GetParam(), heif_orientation_rotate_90_cw), "x");
  const Image expected = ramp().transpose().rowwise().reverse();
  ASSERT_EQ(size_of(turned), size_of(expected));
  EXPECT_LT((turned - expected).cwiseAbs().maxCoeff(), 0.05);
}

// A TIFF directory whose one entry says: turn by 90 degrees, clockwise.
const std::string kTurnClockwise(
    "MM\0*\0\0\0\x08"
    "\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0",
    26);

TEST_P(Heif, ExifTurnsItOnlyIfItDoesNotSayItself) {
  const Image expected = ramp().transpose().rowwise().reverse();
  for (const heif_orientation own : {heif_orientation_normal, heif_orientation_rotate_90_cw}) {
    const Image turned = decode_image(encoded(GetParam(), own, kTurnClockwise), "x");
    ASSERT_EQ(size_of(turned), size_of(expected)) << own;
    EXPECT_LT((turned - expected).cwiseAbs().maxCoeff(), 0.05) << own;
  }
}

TEST_P(Heif, ExifThatEndsTooEarlyTurnsNothing) {
  for (const std::size_t length : {1UL, 8UL, 14UL, 17UL}) {
    const std::string exif = kTurnClockwise.substr(0, length);
    const Image image = decode_image(encoded(GetParam(), heif_orientation_normal, exif), "x");
    EXPECT_EQ(size_of(image), size_of(ramp())) << length;
  }
}

TEST_P(Heif, CutShortItIsRefused) {
  for (const double part : {0.2, 0.5, 0.9}) {
    const auto length = static_cast<std::size_t>(part * static_cast<double>(bytes_.size()));
    EXPECT_THAT(refusal(bytes_.substr(0, length)), HasSubstr("Cannot read x")) << part;
  }
  EXPECT_FALSE(heif_is_complete(bytes_.substr(0, bytes_.size() - 1)));
}

TEST_P(Heif, DamageIsRefusedOrReadInSilence) {
  testing::internal::CaptureStderr();
  for (std::size_t at = 0; at < bytes_.size(); ++at) {
    std::string damaged = bytes_;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x5A);
    const std::string reason = refusal(damaged);
    EXPECT_THAT(reason, AnyOf(IsEmpty(), EndsWith("."))) << at;
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_P(Heif, MemoryAndTimeAreLimited) {
  ReadLimits limits;
  limits.max_memory = 10'000;
  EXPECT_THAT(refusal(bytes_, limits), HasSubstr("more memory than the limit"));
  limits = {};
  limits.max_seconds = 1e-9;
  EXPECT_THAT(refusal(bytes_, limits), HasSubstr("takes longer"));
  limits = {};
  limits.max_pixels = 1000;
  EXPECT_THAT(refusal(bytes_, limits), HasSubstr("claims 48x64 pixels"));
}

TEST_P(Heif, ASequenceIsCalledAnAnimation) {
  std::string sequence = bytes_;
  sequence.replace(8, 4, "msf1");
  EXPECT_THAT(refusal(sequence), HasSubstr("is an animation"));
}

INSTANTIATE_TEST_SUITE_P(Formats, Heif,
                         testing::Values(heif_compression_HEVC, heif_compression_AV1),
                         [](const auto& format) {
                           return format.param == heif_compression_HEVC ? "Heic" : "Avif";
                         });

TEST(HeifNames, AreImages) {
  EXPECT_TRUE(has_image_extension("IMG_2042.HEIC"));
  EXPECT_TRUE(has_image_extension("a.heif"));
  EXPECT_TRUE(has_image_extension("a.avif"));
}

TEST(HeifNames, OtherBoxesAreNotHeif) {
  EXPECT_FALSE(
      is_heif(std::string("\0\0\0\x18"
                          "ftypmp42\0\0\0\0isom",
                          20)));
  EXPECT_FALSE(is_heif("ftypheic"));
  EXPECT_FALSE(heif_size("no boxes at all").has_value());
}

}  // namespace
}  // namespace longshot
