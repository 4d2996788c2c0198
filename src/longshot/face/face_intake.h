// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "longshot/dataset/dataset.h"
#include "longshot/face/face_reader.h"

namespace longshot {

// One image that was handed in, or why it is none.
struct Input {
  std::string path;  // as users know it; "file.mat:3" for a row
  Sample sample;
  std::optional<FaceFrame> aligned;
  std::string problem;  // one sentence; empty if the sample can be read
  // Where the pixels come from, from any thread; nothing: from the file of the sample.
  std::function<DecodedPhoto()> read = {};
  // Where the face was found whose eyes the sample has.
  std::optional<FoundFace> found = {};
};

// What is said of a photo that is used although its file is damaged.
inline constexpr const char* kDamagedPhoto =
    "The file is damaged: a part of the image was guessed by the decoder.";

struct Probe {
  Image image;                          // at its own resolution, but at most the high one
  bool damaged = false;                 // the file is: see kDamagedPhoto
  std::optional<FoundFace> found = {};  // where the face was looked for
};

// The images of the data sets, each set sorted by path with its rejections in their places. Where
// some samples of a set have the role, only those are taken.
std::vector<Input> list_inputs(const std::vector<Dataset>& datasets, Role role);

// The data sets at the paths. One path that cannot be read becomes a rejection among several.
// Throws Error if there is none that can be.
std::vector<Dataset> load_inputs(const std::vector<std::filesystem::path>& paths);

struct IntakeOptions {
  FaceFrame frame;                 // of the faces to make
  Size high = {48, 40};            // of enrolled faces
  std::filesystem::path detector;  // a YuNet model; empty: the Haar cascades of the system
  ReadLimits limits;
};

// From images to faces in one frame. Crops of that frame are used as they are, crops of another
// frame are brought to it by their eyes, small images without eyes are taken to be crops of it.
// Safe to share among threads.
class FaceIntake {
 public:
  explicit FaceIntake(const IntakeOptions& options);

  // A face to enrol or to learn from, at the high resolution. Throws Error if there is none.
  Face face(const Input& input);
  // A face to identify. Throws Error if there is none or nothing can be seen on it.
  Probe probe_of(const Input& input);
  Image probe(const Input& input) { return probe_of(input).image; }
  // The same from an image that is already in memory.
  Image probe(const Image& photo, const Input& input);
  // The input once for each face on it, in their order, where nothing says where its face is; as it
  // is otherwise, and with the problem if there is none.
  std::vector<Input> every_face(const Input& input);

  const IntakeOptions& options() const { return options_; }

 private:
  DecodedPhoto read(const Input& input);
  Face locate(const Image& photo, const Input& input);
  Probe probe_on(const Image& photo, const Input& input);

  IntakeOptions options_;
  SampleReader samples_;
  FaceReader reader_;
};

// A probe at the size at which it is searched.
Image at_size(const Image& probe, Size size);

}  // namespace longshot
