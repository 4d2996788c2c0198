// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/face_reader.h"

#include <algorithm>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/face/crop_judge.h"
#include "longshot/image/align.h"
#include "longshot/image/degrade.h"

namespace longshot {
namespace {

// Who hands in a small image has mostly cut a face out. It is a wider view if a face in it has its
// eyes nearer together than this part of what they would be in a crop.
constexpr double kWiderView = 0.75;
constexpr double kSurelyFound = 7.0;  // pixels between eyes: nothing is looked for in less

// A crop at the size asked for: shrunk by area like any other photo, enlarged smoothly.
Image crop_at_size(const Image& crop, Size size) {
  if (size.pixels() == 0 || size == size_of(crop)) return crop;
  const bool shrinks = size.rows <= crop.rows() && size.cols <= crop.cols();
  return degrade(crop, size, {shrinks ? OperatorKind::kArea : OperatorKind::kImresize});
}

}  // namespace

std::string no_face_in(const std::string& name, const std::filesystem::path& detector) {
  return fmt::format(
      "No face was found in {}: state its eyes, or that it is an aligned face crop{}.", name,
      detector.empty() ? ", or name a YuNet model as the detector" : "");
}

std::string no_face_crop(const std::string& name) {
  return fmt::format(
      "No face: {} shows nothing like one. If it does, state its eyes, or that it is "
      "an aligned face crop.",
      name);
}

void FaceReadOptions::check() const {
  frame.check();
  limits.check();
  if (aligned) aligned->check();
  if (size.rows < 0 || size.cols < 0) throw Error("size must not be negative.");
  if (smallest_photo < 1) throw Error("smallest_photo must be at least 1, not {}.", smallest_photo);
}

FaceReader::FaceReader(const FaceReadOptions& options)
    : options_(options), samples_(options.limits) {
  options_.check();
}

const FaceFinder& FaceReader::finder() {
  // Only now, since most work never needs one and its files may be missing.
  std::call_once(finder_made_, [this] { finder_ = shared_finder(options_.detector); });
  return *finder_;
}

Face FaceReader::read(const Sample& sample, const std::optional<FaceFrame>& dataset_aligned) {
  const DecodedPhoto photo = samples_.read_photo(sample);
  Face face = cut_out(photo.image, sample, dataset_aligned);
  face.photo_damaged = photo.damaged;
  return face;
}

Face FaceReader::cut_out(const Image& photo, const Sample& sample,
                         const std::optional<FaceFrame>& dataset_aligned) {
  Face face = locate(photo, sample, dataset_aligned);
  face.image = image_of(face, photo, options_.size);
  return face;
}

Image FaceReader::image_of(const Face& face, const Image& photo, Size size) const {
  const bool crop = face.source == FaceSource::kAligned || face.source == FaceSource::kTightCrop;
  return crop ? crop_at_size(photo, size) : align_face(photo, *face.eyes, options_.frame, size);
}

Face FaceReader::locate(const Image& photo, const Sample& sample,
                        const std::optional<FaceFrame>& dataset_aligned) {
  check_image(photo, sample.path.string());
  Face face;
  face.photo_size = size_of(photo);
  face.frame = options_.frame;
  const std::optional<FaceFrame> aligned = options_.aligned ? options_.aligned : dataset_aligned;
  if (aligned) {
    face.frame = *aligned;
    face.eyes = eyes_in_pixels(*aligned, face.photo_size);
    return face;
  }
  if (options_.size.pixels() == 0) {
    throw Error("{} is not a face crop, so a size is needed to cut out the face.",
                sample.path.string());
  }
  if (sample.eyes) {
    face.source = FaceSource::kEyes;
    face.eyes = sample.eyes;
  } else if (sample.box) {
    face.source = FaceSource::kBox;
    face.eyes = eyes_in_box(*sample.box);
    face.eyes_found = false;
  } else {
    look_for_face(photo, sample, face);
  }
  return face;
}

void FaceReader::look_for_face(const Image& photo, const Sample& sample, Face& face) {
  FindOptions options;
  options.which = WhichFaces::kMain;
  const bool small = std::min(photo.rows(), photo.cols()) < options_.smallest_photo;
  const double apart_at_most =
      kWiderView * eye_distance(eyes_in_pixels(options_.frame, face.photo_size));
  std::vector<FoundFace> found;
  if (!small || apart_at_most >= kSurelyFound) found = finder().find(photo, options);
  if (found.empty() && !small)
    throw Error("{}", no_face_in(sample.path.string(), options_.detector));
  const std::optional<MainFace> main =
      found.empty() ? std::nullopt : std::optional(main_face(found, face.photo_size));
  if (small && !main && options_.judge_crops && is_no_face(photo)) {
    throw Error("{}", no_face_crop(sample.path.string()));
  }
  if (small && (!main || eye_distance(main->face.eyes) > apart_at_most)) {
    face.source = FaceSource::kTightCrop;
    return;
  }
  face.source = FaceSource::kDetected;
  face.found = main->face;
  face.eyes = main->face.eyes;
  face.faces_in_photo = static_cast<Index>(found.size());
  face.doubtful = main->doubtful;
}

LoadedFaces read_faces(const Dataset& dataset, FaceReader& reader, Progress& progress) {
  const auto count = static_cast<Index>(dataset.samples.size());
  std::vector<std::optional<Face>> faces(dataset.samples.size());
  std::vector<std::string> reasons(dataset.samples.size());
  ProgressScope scope(progress, "Reading faces", count);
  parallel_for(count, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    try {
      faces[at] = reader.read(dataset.samples[at], dataset.aligned);
    } catch (const Error& error) {
      reasons[at] = error.what();
    }
    scope.advance();
  });
  LoadedFaces loaded;
  loaded.rejections = dataset.rejections;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (faces[i]) {
      loaded.faces.push_back(std::move(*faces[i]));
      loaded.samples.push_back(static_cast<Index>(i));
    } else {
      loaded.rejections.push_back({dataset.samples[i].path.string(), reasons[i]});
    }
  }
  return loaded;
}

}  // namespace longshot
