// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/verifier.h"

#include <gmock/gmock.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/pipeline/small_gallery_test.h"

namespace longshot {
namespace {

using Verify = SmallGallery;

TEST_F(Verify, TellsTheRightPersonFromAnother) {
  GalleryStore gallery = make_gallery(6);
  VerifyOptions options;
  options.fmr = 0.01;
  Verifier verifier(gallery, options);
  const Verification right = verifier.verify({probe(2, 0)}, name(2));
  const Verification wrong = verifier.verify({probe(2, 0)}, name(3));
  EXPECT_TRUE(right.match);
  EXPECT_FALSE(wrong.match);
  EXPECT_GT(right.score, 0.5);
  EXPECT_LT(wrong.score, 0.5);
  EXPECT_EQ(right.size, (Size{12, 10}));
}

TEST_F(Verify, WorksWithOnePersonAndSeveralFrames) {
  GalleryStore gallery = make_gallery(1);
  Verifier verifier(gallery, {});
  EXPECT_FALSE(verifier.verify({probe(9, 1), probe(9, 2)}, name(0)).match);
  const Verification frames = verifier.verify({probe(0, 0), probe(0, 1)}, name(0));
  EXPECT_EQ(frames.frames, 2);
  EXPECT_GT(frames.score, 0.5);
}

TEST_F(Verify, TheRateDecides) {
  GalleryStore gallery = make_gallery(3);
  VerifyOptions options;
  options.fmr = 1.0;
  EXPECT_TRUE(Verifier(gallery, options).verify({probe(0, 1)}, name(2)).match);
  options.fmr = 0.0;
  EXPECT_FALSE(Verifier(gallery, options).verify({probe(0, 0)}, name(0)).match);
  options.fmr = -1.0;
  EXPECT_THROW(Verifier(gallery, options), Error);
}

TEST_F(Verify, BadImagesAreLeftOutAndNamed) {
  GalleryStore gallery = make_gallery(2);
  Input broken = probe(1, 1);
  write_file(broken.sample.path, "not a picture");
  Verifier verifier(gallery, {});
  EXPECT_EQ(verifier.verify({broken, probe(0, 1)}, name(0)).rejections.size(), 1U);
  EXPECT_THROW(verifier.verify({broken}, name(0)), Error);
  EXPECT_THROW(verifier.verify({}, name(0)), Error);
  EXPECT_THROW(verifier.verify({probe(0, 1)}, "nobody"), Error);
}

}  // namespace
}  // namespace longshot
