// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/picture.h"

namespace longshot::v0 {

// What was learnt of a camera from its own crops, of whomever they show.
class LONGSHOT_API Camera {
 public:
  // Throws Error for whatever is not a camera file, or was written by a newer version.
  static Camera read(const std::filesystem::path& path);
  void write(const std::filesystem::path& path) const;
  // What the file holds; parse() throws as read() does.
  std::string json() const;
  static Camera parse(std::string_view json);

  Size size() const;             // of the crops that it was learnt from
  std::ptrdiff_t crops() const;  // how many they were
  // False: the crops said too little against the gallery's own operator, and nothing changes.
  bool learnt() const;

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
