// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "longshot/clip/clip_writer.h"
#include "longshot/clip/track_finder.h"
#include "longshot/core/file.h"
#include "longshot/door.h"  // before what uses both faces
#include "longshot/face/size_ladder.h"
#include "longshot/image/align.h"
#include "longshot/synthetic/synthetic_clip.h"
#include "longshot/track_value.h"

namespace longshot {
namespace door {

longshot::ClipOptions inner(const v0::ClipOptions& options) {
  longshot::ClipOptions clip;
  clip.every = options.every;
  clip.from = options.begin;
  clip.to = options.end;
  return clip;
}

Image crop_of_track(const TrackedFace& face) {
  constexpr longshot::Size kLargestCrop = {240, 200};
  const longshot::Size own = size_of_face(face.eyes, FaceFrame());
  return align_face(face.patch, face.eyes, FaceFrame(),
                    {std::min(own.rows, kLargestCrop.rows), std::min(own.cols, kLargestCrop.cols)});
}

}  // namespace door

namespace v0 {
namespace {

Track outer_track(const std::string& source, std::ptrdiff_t number, FaceTrack found) {
  Track track;
  track.source = source;
  track.number = number;
  for (const TrackedFace& one : found.faces) {
    track.faces.push_back({one.frame, one.seconds, door::outer(one.face), one.weight});
  }
  track.value = std::make_shared<const Track::Value>(Track::Value{std::move(found)});
  return track;
}

}  // namespace

std::vector<Plane> Track::crops() const {
  return door::translated([&] {
    std::vector<Plane> crops;
    if (!value) return crops;
    for (const TrackedFace& one : value->track.faces) {
      crops.push_back(door::outer(door::crop_of_track(one)));
    }
    return crops;
  });
}

bool is_clip(const std::filesystem::path& path, bool any_word) {
  return longshot::is_clip(path) || (any_word && is_frame_folder(path));
}

ClipTracks find_tracks(const std::filesystem::path& path, const ClipOptions& options,
                       const Progress& progress) {
  return door::with_progress(progress, [&](longshot::Progress& shown) {
    FindOptions finding;
    finding.least_eye_distance = options.faces.least_eye_distance;
    finding.least_likeness = options.faces.least_likeness;
    longshot::ClipTracks found = longshot::find_tracks(path, door::inner(options),
                                                       options.faces.detector, finding, {}, shown);
    ClipTracks result{{}, found.frames, found.cut_short};
    for (FaceTrack& track : found.tracks) {
      const auto number = static_cast<std::ptrdiff_t>(result.tracks.size()) + 1;
      result.tracks.push_back(outer_track(path.string(), number, std::move(track)));
    }
    return result;
  });
}

std::ptrdiff_t write_synthetic_clip(const std::filesystem::path& path,
                                    const SyntheticClipOptions& options, const Progress& progress) {
  return door::with_progress(progress, [&](longshot::Progress& shown) {
    longshot::SyntheticClipOptions inner;
    inner.people = options.people;
    inner.seed = options.seed;
    inner.size = door::inner(options.size);
    inner.walk = options.walk;
    inner.together = options.together;
    inner.far = options.far;
    inner.near = options.near;
    inner.noise = options.noise;
    SyntheticClip clip(inner);
    const ClipCodec codec = path.extension() == ".avi" ? ClipCodec::kMjpeg : ClipCodec::kH264;
    ClipWriter writer(path, inner.size, {codec, options.rate});
    std::vector<ClipTruth> truth;
    ProgressScope scope(shown, "Filming synthetic people", clip.frames());
    for (Index k = 0; k < clip.frames(); ++k) {
      writer.write(clip.frame(k, truth));
      scope.advance();
    }
    writer.finish();
    std::filesystem::path beside = path;
    write_file(beside.replace_extension(".csv"), to_csv(truth, options.rate));
    return static_cast<std::ptrdiff_t>(clip.frames());
  });
}

}  // namespace v0
}  // namespace longshot
