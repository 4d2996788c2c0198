// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/joined_picture.h"

#include <cmath>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/image/align.h"

namespace longshot {
namespace {

constexpr Size kSmallFace = {24, 20};

Image pattern() {
  return Image::NullaryExpr(kSmallFace.rows, kSmallFace.cols, [](Index r, Index c) {
    return 0.5 +
           0.2 * std::sin(0.5 * static_cast<double>(r)) * std::cos(0.4 * static_cast<double>(c));
  });
}

TrackedFace face_showing(const Image& image, double weight) {
  TrackedFace face;
  face.patch = image;
  face.eyes = eyes_in_pixels(FaceFrame(), kSmallFace);
  face.weight = weight;
  return face;
}

double distance(const Image& a, const Image& b) {
  return std::sqrt((a - b).array().square().mean());
}

TEST(JoinedPicture, OfEqualFramesIsTheFrame) {
  const FaceTrack track = {{face_showing(pattern(), 1.0), face_showing(pattern(), 0.5)}};
  EXPECT_LT(distance(joined_picture(track, kSmallFace), pattern()), 1e-6);
}

TEST(JoinedPicture, HasLessNoiseThanAFrame) {
  FaceTrack track;
  for (int k = 0; k < 16; ++k) {
    Image noisy = pattern();
    for (Index i = 0; i < noisy.size(); ++i) {
      noisy.data()[i] += (i * 7 + k * 5 + i * k) % 16 < 8 ? 0.05 : -0.05;
    }
    track.faces.push_back(face_showing(noisy, 1.0));
  }
  EXPECT_LT(distance(joined_picture(track, kSmallFace), pattern()),
            0.5 * distance(track.faces[0].patch, pattern()));
}

TEST(JoinedPicture, WhatHidesTheFaceInOneFrameHardlyShows) {
  FaceTrack track;
  for (int k = 0; k < 9; ++k) track.faces.push_back(face_showing(pattern(), 1.0));
  track.faces[4].patch.block(8, 6, 4, 4).setConstant(1.0);
  const Image joined = joined_picture(track, kSmallFace);
  const double there = (joined - pattern()).block(8, 6, 4, 4).cwiseAbs().mean();
  const double plain_mean = (track.faces[4].patch - pattern()).block(8, 6, 4, 4).mean() / 9.0;
  EXPECT_LT(there, 0.5 * plain_mean);
}

TEST(JoinedPicture, FramesThatWeighNothingAreNotUsed) {
  FaceTrack track = {{face_showing(pattern(), 1.0), face_showing(Image::Zero(24, 20), 0.0),
                      face_showing(pattern(), 0.2), face_showing(pattern(), 0.6)}};
  EXPECT_EQ(used_faces(track, 10), (std::vector<std::size_t>{0, 2, 3}));
  EXPECT_EQ(used_faces(track, 2), (std::vector<std::size_t>{0, 3}));
  EXPECT_LT(distance(joined_picture(track, kSmallFace), pattern()), 1e-6);
  for (TrackedFace& face : track.faces) face.weight = 0.0;
  EXPECT_THROW(joined_picture(track, kSmallFace), Error);
}

}  // namespace
}  // namespace longshot
