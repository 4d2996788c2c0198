// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "longshot/core/progress.h"
#include "longshot/dataset/dataset.h"
#include "longshot/dataset/sample_reader.h"
#include "longshot/face/face_finder.h"
#include "longshot/image/face_frame.h"

namespace longshot {

struct FaceReadOptions {
  FaceFrame frame;                 // of the faces to make, unless the images are already cropped
  Size size = {48, 40};            // of the faces to make; 0x0: the size that cropped images have
  std::filesystem::path detector;  // a YuNet model; empty: the Haar cascades of the system
  // Whether the images are face crops as they are. Nothing: as the data set says.
  std::optional<FaceFrame> aligned;
  // Pixels: an image with a shorter side is used as it is, unless a face is found in it that fills
  // clearly less of it than the frame's.
  Index smallest_photo = 40;
  // Whether such an image is refused if it is clearly no face.
  bool judge_crops = false;
  ReadLimits limits;

  void check() const;
};

// How a face was cut out.
enum class FaceSource { kAligned, kEyes, kBox, kDetected, kTightCrop };

struct Face {
  Image image;      // of the size asked for
  FaceFrame frame;  // where its eyes are
  FaceSource source = FaceSource::kAligned;
  std::optional<Eyes> eyes;        // in the photo, where known
  bool eyes_found = true;          // false: guessed from a box
  std::optional<FoundFace> found;  // where it was looked for
  Index faces_in_photo = 1;        // more than 1: the most prominent was taken
  bool doubtful = false;           // another one is nearly as prominent
  Size photo_size;
  bool photo_damaged = false;  // a part of its file was guessed by the decoder
};

// From a sample to a face. What is stated wins over what is found: cropped images are used as they
// are, then eyes, then boxes, then detection. Safe to share among threads.
class FaceReader {
 public:
  explicit FaceReader(const FaceReadOptions& options);

  // Throws Error with the reason if there is no usable face.
  Face read(const Sample& sample, const std::optional<FaceFrame>& dataset_aligned);
  // The same from an image that is already in memory.
  Face cut_out(const Image& photo, const Sample& sample,
               const std::optional<FaceFrame>& dataset_aligned);
  // Its two steps: where the face is, without its image, and its image at any size.
  Face locate(const Image& photo, const Sample& sample,
              const std::optional<FaceFrame>& dataset_aligned);
  Image image_of(const Face& face, const Image& photo, Size size) const;

  const FaceReadOptions& options() const { return options_; }

 private:
  const FaceFinder& finder();
  void look_for_face(const Image& photo, const Sample& sample, Face& face);

  FaceReadOptions options_;
  SampleReader samples_;
  std::once_flag finder_made_;
  std::shared_ptr<const FaceFinder> finder_;
};

// What is said of an image where nothing looks like a face to that detector, with the ways out.
std::string no_face_in(const std::string& name, const std::filesystem::path& detector);
// The same of one that is too small to be anything but a face crop.
std::string no_face_crop(const std::string& name);

struct LoadedFaces {
  std::vector<Face> faces;
  std::vector<Index> samples;         // the sample of each face
  std::vector<Rejection> rejections;  // of the data set and of reading
};

// All faces of a data set, in its order, in parallel; bad images become rejections.
LoadedFaces read_faces(const Dataset& dataset, FaceReader& reader,
                       Progress& progress = no_progress());

}  // namespace longshot
