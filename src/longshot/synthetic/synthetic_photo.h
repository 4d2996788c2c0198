// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "longshot/image/face_frame.h"
#include "longshot/image/image.h"
#include "longshot/synthetic/synthetic_light.h"
#include "longshot/synthetic/synthetic_person.h"

namespace longshot {

// How photos are taken. Everything random is drawn anew for each photo; with all of it set to 0, a
// lighting given and no noise, two photos of a person differ only in the background.
struct SyntheticPhotoOptions {
  Size size = {48, 40};  // 10 pixels between the eyes at least, 4000 a side at most
  FaceFrame frame;       // where the eyes are on average
  std::optional<SyntheticLighting> lighting;  // absent: a random one for each photo
  double light_spread = 60.0;  // of random lights, degrees from the camera's axis, 0 to 90
  double pose = 1.5;           // deviation of yaw and pitch, degrees, 0 to 10
  double alignment =
      0.015;           // deviation of each eye's x and y from the frame, eye distances, 0 to 0.2
  double shift = 0.0;  // deviation of the face's place, eye distances, 0 to 1
  double roll = 0.0;   // deviation of the head's tilt, degrees, 0 to 30
  double scale = 0.0;  // deviation of the logarithm of the face's size, 0 to 0.3
  double expression = 1.0;  // strength of changes of expression, 0 to 1
  double exposure = 0.15;   // deviation of the logarithm of the exposure, 0 to 1
  double noise = 0.01;      // deviation at middle grey, full scale 1, 0 to 0.5

  void check() const;
};

struct SyntheticPhoto {
  Image image;                 // in [0, 1]
  Eyes eyes;                   // where they really are
  SyntheticLighting lighting;  // the one used
};

// Photo number `photo` of a person; always the same one, on any thread.
SyntheticPhoto take_photo(const SyntheticPerson& person, const SyntheticPhotoOptions& options,
                          std::uint64_t photo);

// Photo number `photo` of `count` people of the population `seed` from number `first` on, in
// parallel: pixels x count, one photo per column.
Matrix take_photos(std::uint64_t seed, Index first, Index count,
                   const SyntheticPhotoOptions& options, std::uint64_t photo);

}  // namespace longshot
