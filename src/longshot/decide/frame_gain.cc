// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/frame_gain.h"

#include <algorithm>
#include <cassert>

#include "longshot/decide/lowest_two.h"
#include "longshot/decide/probe_tracks.h"

namespace longshot {
namespace {

constexpr Index kFewestTracks = 5;

// The photos of people who have at least two, as tracks.
struct OwnedTracks {
  ProbeTracks tracks;
  std::vector<Index> photos;  // columns
  std::vector<Index> owners;  // of the tracks: rows
};

OwnedTracks owned_tracks(Index people, const std::vector<Index>& owners) {
  std::vector<std::vector<Index>> of_person(static_cast<std::size_t>(people));
  for (std::size_t j = 0; j < owners.size(); ++j) {
    if (owners[j] < 0) continue;
    of_person[static_cast<std::size_t>(owners[j])].push_back(static_cast<Index>(j));
  }
  OwnedTracks owned;
  for (Index person = 0; person < people; ++person) {
    const std::vector<Index>& photos = of_person[static_cast<std::size_t>(person)];
    if (photos.size() < 2) continue;
    for (const Index photo : photos) {
      owned.photos.push_back(photo);
      owned.tracks.track.push_back(owned.tracks.count);
    }
    owned.owners.push_back(person);
    ++owned.tracks.count;
  }
  owned.tracks.weight = Vector::Ones(std::ssize(owned.photos));
  return owned;
}

// Log ratios of the columns, each without the person on it and for that person.
struct Ratios {
  Vector strange;
  Vector right;
};

Ratios ratios_of(const Matrix& distances, const std::vector<Index>& owners) {
  Ratios ratios{Vector(distances.cols()), Vector(distances.cols())};
  for (Index j = 0; j < distances.cols(); ++j) {
    const Index own = owners[static_cast<std::size_t>(j)];
    const LowestTwo two = lowest_two(distances.col(j), own);
    ratios.strange(j) = log_ratio(two.first, two.second, 0.0);
    ratios.right(j) = log_ratio(distances(own, j), two.first, 0.0);
  }
  return ratios;
}

}  // namespace

FrameGain learn_frame_gain(const MatrixRef& distances, const std::vector<Index>& owners,
                           double zero) {
  assert(std::ssize(owners) == distances.cols());
  const OwnedTracks owned = owned_tracks(distances.rows(), owners);
  if (owned.tracks.count < kFewestTracks) return {};
  Matrix units = distances(Eigen::all, owned.photos).array() - zero;
  const Vector unit = units.colwise().mean().transpose().cwiseMax(1e-12);
  units = units * unit.cwiseInverse().asDiagonal();
  std::vector<Index> of_photos;
  for (const Index track : owned.tracks.track) {
    of_photos.push_back(owned.owners[static_cast<std::size_t>(track)]);
  }
  const Ratios single = ratios_of(units, of_photos);
  const Ratios fused = ratios_of(track_means(units, owned.tracks), owned.owners);
  FrameGain gain;
  gain.frames = equal_frames(owned.tracks).mean();
  gain.alike = std::clamp(track_likeness(units, owned.tracks).mean(), 0.0, 0.99);
  // Log ratios of strangers have an exponential tail, whose scale goes with their mean.
  gain.strange =
      std::clamp(fused.strange.mean() / std::max(single.strange.mean(), 1e-12), 0.05, 1.0);
  gain.curve = fit_score_curve(fused.right, fused.strange);
  return gain;
}

// Of the variance of a photo's distances, `gain.alike` is the person's. The rest of a track's is in
// part common to its frames, and for the other part falls with their number.
double effective_frames(double frames, double alike, const FrameGain& gain) {
  const double rest = 1.0 - gain.alike;
  const double common = std::max(0.0, alike - gain.alike);
  return std::clamp(rest / (common + (rest - common) / frames), 1.0, frames);
}

}  // namespace longshot
