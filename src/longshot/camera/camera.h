// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/camera/person_images.h"
#include "longshot/core/matrix.h"
#include "longshot/feature/life_table.h"

namespace longshot {

// Where the crops of a camera lie among faces, and where the gallery's people do: the means of
// their features (docs/method.md, "Centred").
struct FaceCentre {
  LifeFeatures features = LifeFeatures::kNetwork;
  std::uint32_t checksum = 0;  // of the network; 0 of gradients
  Vector crops;
  Vector people;
};

// Whether the crops and the gallery's photos were taken on one day, in other lights, or on
// different days: what tells people apart differs (docs/method.md, "Which day").
enum class Days {
  kUnknown,
  kSame,
  kOther,
  kAsked,  // it is being found out: pixels are compared alone
};

// What was learnt of a camera from its own crops, of whomever they show, compared with the photos
// of a gallery (docs/method.md, "A camera of its own"). Learning is in camera_fit.h.
struct Camera {
  Size size;        // of the crops that it was learnt from
  Index crops = 0;  // how many they were
  // False: the crops said too little against the gallery's own operator, which then stays.
  bool learnt = false;
  DegradeOperator op;         // gauss:S, S in pixels of the crop
  Registration registration;  // how its faces lie, compared with the gallery's
  // Its greys are the gallery's to this power, but for scale and offset; not learnt, see
  // camera_fit.cc. Neither is `black`.
  double gamma = 1.0;
  double noise = 0.0;  // in units of the mean intensity
  CameraError error;   // how well they are known: one deviation
  double black = 0.0;  // the grey level of what is black in the gallery
  // What a crop lacks of the gallery's mean face, at zero mean and unit norm; one value per pixel,
  // or empty, which it is if the crops or the gallery's people were fewer than kFewestPeople.
  Vector tone;
  // How many different faces the crops show, as far as they can be told apart, and how many of the
  // gallery's they were compared with. No centres if either is less than kFewestPeople: of few
  // faces nobody knows what is the camera's and what is theirs.
  Index faces = 0;
  Index people = 0;
  std::vector<FaceCentre> centres;
  Days days = Days::kUnknown;

  // Throws Error, naming the field, for what cannot be.
  void check() const;
};

std::string_view to_string(Days days);

// A camera of which nothing is known but that; nothing if that is unknown, too.
std::optional<Camera> camera_of_days(Days days);

// The geometry of a gallery that is seen by the camera. Its low resolution need not be the size
// that the camera was learnt at.
FaceGeometry through_camera(FaceGeometry geometry, const Camera& camera);

// Crops (pixels of `size` x n) with the black level and the mean face of the gallery.
Matrix corrected_crops(const MatrixRef& crops, Size size, const Camera& camera);

// Crops (pixels x n) as they were, but for their black level, before corrected_crops() with `tone`;
// what it had cut off stays so. An empty tone changes nothing.
Matrix before_tone(const MatrixRef& corrected, const Vector& tone);

// The file is JSON (docs/formats.md). Reading throws Error, naming `name`, for whatever is not a
// camera file or was written by a newer version. `may_ask`: Days::kAsked is no damage.
std::string encode_camera(const Camera& camera);
Camera decode_camera(std::string_view text, std::string_view name, bool may_ask = false);
void write_camera(const std::filesystem::path& path, const Camera& camera);
Camera read_camera(const std::filesystem::path& path);

}  // namespace longshot
