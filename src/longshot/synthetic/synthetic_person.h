// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "longshot/core/matrix.h"

namespace longshot {

// People who do not exist: each is a handful of numbers from which synthetic_photo.h makes any
// number of photos. Lengths are in distances between the eyes, positions in the coordinates of
// relight/face_shape.h. All was chosen by eye and from common anthropometric proportions; nothing
// was learnt from anybody's photo.

// Not mirrored, so that a face can be a little asymmetric.
struct Bump {
  double amplitude = 0.0;
  double x = 0.0;
  double y = 0.0;
  double sigma_x = 1.0;
  double sigma_y = 1.0;
};

// Factors on the mean face's lengths, about 1.
struct HeadTraits {
  double width = 1.0;        // of what lies outside the eyes
  double forehead = 1.0;     // of everything above the eyes
  double nose_length = 1.0;  // eyes to the base of the nose
  double philtrum = 1.0;     // base of the nose to the mouth
  double chin = 1.0;         // mouth to the tip of the chin
  double jaw = 2.3;          // exponent of the outline: 1.8 pointed, 3 square
};

struct NoseTraits {
  double width = 1.0;  // factor
  double tip = 0.0;    // added projection
  double bridge = 0.0;
};

struct EyeTraits {
  double half_width = 0.23;
  double upper = 0.085;  // height of the upper lid above the eye centre
  double lower = 0.06;
  double tilt = 0.02;    // outer corner above the inner one
  double iris = 0.2;     // albedo
  double sclera = 0.65;  // albedo
  double lash = 0.5;     // darkness of the upper lid's line, 0 to 1
  double bag = 0.05;     // darkness below the eye, 0 to 1
};

struct BrowTraits {
  double height = 0.30;
  double thickness = 0.045;  // half, at the inner end
  double arch = 0.06;
  double slope = 0.02;
  double inner = 0.18;  // where it starts
  double outer = 0.86;
  double darkness = 0.7;  // opacity, 0 to 1
  double skew = 0.0;      // how much higher the right one is
};

struct MouthTraits {
  double half_width = 0.40;
  double upper = 0.08;  // thickness of the upper lip
  double lower = 0.11;
  double shade = 0.75;  // albedo relative to the skin's
  double skew = 0.0;    // how much higher the right corner is
};

struct HairTraits {
  double shade = 0.12;    // albedo
  double line = 1.1;      // height of the hairline in the middle; 2 is bald
  double temples = 1.2;   // how far it comes down at the sides
  double exponent = 4.0;  // 2 round, 6 square
  double parting = 0.0;   // tilt of the hairline
  double volume = 1.06;   // outline relative to the head's
  double length = -0.2;   // how far down it reaches at the sides
};

struct BeardTraits {
  double beard = 0.0;      // opacity on jaw and chin, 0 to 1
  double moustache = 0.0;  // opacity, 0 to 1
  double edge = -0.72;     // height of the beard's upper edge at the cheek
  double shade = 0.12;     // albedo
};

// A dark spot on the skin.
struct Mole {
  double x = 0.0;
  double y = 0.0;
  double radius = 0.02;
  double darkness = 0.3;  // 0 to 1
};

struct SkinTraits {
  double tone = 0.5;          // albedo
  double gloss = 0.1;         // strength of the highlight
  double wrinkle = 0.2;       // depth of the folds, 0 to 1
  double mottle = 0.05;       // contrast of the fine texture
  std::vector<Bump> patches;  // relative changes of the albedo over the cheeks, forehead, ...
  std::vector<Mole> moles;
};

struct SyntheticPerson {
  std::uint64_t key = 0;  // of this person's texture and of the random streams of the photos
  HeadTraits head;
  NoseTraits nose;
  EyeTraits eyes;
  BrowTraits brows;
  MouthTraits mouth;
  HairTraits hair;
  BeardTraits beard;
  SkinTraits skin;
  std::vector<Bump> relief;  // added to the mean face's height
};

// Person `index` of the endless population `seed`; always the same one. Throws Error if index < 0.
SyntheticPerson make_person(std::uint64_t seed, Index index);

}  // namespace longshot
