// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/picture.h"

namespace longshot::v0 {

// A figure, and how well it is known: one deviation.
struct Measured {
  double value = 0.0;
  double deviation = 0.0;
};

// How a camera's crops differ from the gallery's photos.
struct CameraFigures {
  std::string op;   // how photos are brought down: "gauss:0.5"
  Measured right;   // faces lie further to the right, of the width
  Measured down;    // and further down, of the height
  Measured wider;   // larger in width, 0.1: by a tenth
  Measured taller;  // larger in height
  Measured blur;    // pixels of the crop
  // Taken as the gallery's: faces do not tell a tone curve from their own contrast. Cameras that
  // older versions learnt have them.
  Measured gamma;          // its greys are the gallery's to this power
  double black = 0.0;      // the level of what is black in the gallery, 0 to 1
  double noise = 0.0;      // in units of the mean brightness
  bool mean_face = false;  // kept, which few crops or enrolled people do not allow
  // Different faces on whose common centre answers rest; 0: they are not centred.
  std::ptrdiff_t faces = 0;
  // Whether crops and gallery are of one day, by how well pixels tell people apart: "same", "other"
  // or "unknown". Found out while many different people are identified, with a camera of their own.
  std::string days = "unknown";
};

// What was learnt of a camera from its own crops, of whomever they show.
class LONGSHOT_API Camera {
 public:
  // Throws Error for whatever is not a camera file, or was written by a newer version.
  static Camera read(const std::filesystem::path& path);
  void write(const std::filesystem::path& path) const;
  // What the file holds; parse() throws as read() does.
  std::string json() const;
  static Camera parse(std::string_view json);

  std::string name() const;      // of the file that it was read from, without its ending
  Size size() const;             // of the crops that it was learnt from
  std::ptrdiff_t crops() const;  // how many they were
  // False: the crops said too little against the gallery's own operator, which stays.
  bool learnt() const;
  CameraFigures figures() const;

  struct Value;
  explicit Camera(std::shared_ptr<const Value> value);  // for the library itself
  const Value& value() const { return *value_; }

 private:
  std::shared_ptr<const Value> value_;
};

struct CameraReport {
  Camera camera;
  std::ptrdiff_t other_sizes = 0;  // crops that were left out because they fill another size
  std::vector<Rejection> rejections;
  Plane sheet;  // the mean face, sharp and through the camera, the mean crop, and their difference
};

}  // namespace longshot::v0
