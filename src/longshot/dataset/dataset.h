// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "longshot/image/face_frame.h"
#include "longshot/image/image.h"

namespace longshot {

enum class Role { kUnspecified, kTrain, kGallery, kProbe };

// One face: where it is and what is known about it. Pixels are read later, one bad file at a time.
struct Sample {
  std::filesystem::path path;
  Index row = -1;  // row of `fea` in a .mat file; -1 for an image file
  std::string subject;
  std::string session;    // empty where the set has none
  std::string condition;  // light, expression, ...: what the set calls it
  Role role = Role::kUnspecified;
  std::optional<Eyes> eyes;  // pixels of the image
  std::optional<Box> box;    // pixels of the image
};

// An input that was left out, and why, in one sentence.
struct Rejection {
  std::string path;
  std::string reason;
};

struct Dataset {
  std::vector<Sample> samples;
  std::vector<Rejection> rejections;
  std::vector<std::filesystem::path> passed_over;  // files in its folders that are no pictures
  // Set where all images are already cropped alike: they are used as they are.
  std::optional<FaceFrame> aligned;
};

// Which reader to use; kAuto looks at what is there.
enum class DatasetFormat {
  kAuto,
  kFolders,
  kFlat,
  kImage,
  kManifest,
  kMat,
  kYaleB,
  kPie,
  kAr,
  kFrgc
};

// Reads the list of samples at `path`: a folder, an image, a manifest.csv, a .mat file or an FRGC
// signature set (.xml). Samples come in a fixed order (sorted by path). Throws Error if the path
// does not exist or nothing usable is there; single bad entries become rejections.
Dataset load_dataset(const std::filesystem::path& path,
                     DatasetFormat format = DatasetFormat::kAuto);

// Folders in this one that say themselves what they are (a manifest, or the layout of a known data
// set), sorted by name; none if `path` does so, too. Whoever named it may have meant one of them.
std::vector<std::filesystem::path> data_sets_below(const std::filesystem::path& path);

}  // namespace longshot
