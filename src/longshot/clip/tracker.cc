// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/tracker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/image/align.h"
#include "longshot/image/degrade.h"

namespace longshot {
namespace {

constexpr Size kLook = {12, 10};  // at which faces are compared
constexpr Size kView = {9, 16};   // at which frames are
constexpr double kNoLink = std::numeric_limits<double>::infinity();
constexpr double kFarthestStep = 3.0;        // deviations of place or size
constexpr double kLargestUncertainty = 1.2;  // of the place, in widths
constexpr double kClearly = 1.0;             // by so much the cost of the best link is the least

// Where to look for a face beside its expected place, in eye distances. The speed of one that was
// seen only a few times is not known: who walks fast moves by a whole distance in a frame.
constexpr Index kKnownFrom = 4;  // times
const std::vector<Point> kThere = {{0.0, 0.0}};
const std::vector<Point> kAllAround = {{0.0, 0.0}, {-1.2, 0.0},  {1.2, 0.0},  {-0.6, 0.6},
                                       {0.6, 0.6}, {-0.6, -0.6}, {0.6, -0.6}, {-1.2, 0.6},
                                       {1.2, 0.6}, {-1.2, -0.6}, {1.2, -0.6}};

Eyes moved_by(const Eyes& eyes, double x, double y) {
  return {{eyes.left.x + x, eyes.left.y + y}, {eyes.right.x + x, eyes.right.y + y}};
}

Image look_of(const TrackedFace& face) {
  return normalised(align_face(face.patch, face.eyes, FaceFrame(), kLook));
}

}  // namespace

void TrackOptions::check() const {
  if (!(longest_gap > 0.0)) throw Error("longest_gap must be above 0 s, not {:g}.", longest_gap);
  if (fewest_faces < 1 || most_faces < 1) throw Error("A track has at least one face.");
  if (!(least_face >= 0.0 && least_face <= 1.0)) {
    throw Error("least_face is a probability, 0 to 1, not {:g}.", least_face);
  }
  if (!(least_likeness >= -1.0 && least_likeness <= 1.0)) {
    throw Error("least_likeness is a correlation, -1 to 1, not {:g}.", least_likeness);
  }
}

Tracker::Tracker(const TrackOptions& options) : options_(options) {
  options_.check();
}

// Squares of what is off, in usual deviations: place, size and look.
double Tracker::cost(const Open& open, const TrackedFace& face, const Image& look) const {
  constexpr double kUsualUnlikeness = 0.2;
  const FaceMotion::Surprise off = open.motion.surprise(face.face.box, face.seconds);
  const double likeness = open.look.cwiseProduct(look).sum();
  if (off.place > kFarthestStep || std::abs(off.size) > kFarthestStep ||
      likeness < options_.least_likeness) {
    return kNoLink;
  }
  const double unlike = (1.0 - likeness) / kUsualUnlikeness;
  return off.place * off.place + off.size * off.size + unlike * unlike;
}

// All that are possible, the best first.
std::vector<Tracker::Link> Tracker::links(const std::vector<TrackedFace>& faces,
                                          const std::vector<Image>& looks) const {
  std::vector<Link> links;
  for (std::size_t t = 0; t < open_.size(); ++t) {
    for (std::size_t f = 0; f < faces.size(); ++f) {
      const double off = cost(open_[t], faces[f], looks[f]);
      if (off < kNoLink) links.push_back({off, t, f});
    }
  }
  std::ranges::stable_sort(links, {}, &Link::cost);
  return links;
}

void Tracker::start(TrackedFace face, const Image& look) {
  open_.push_back(
      {{}, 1, face.frame, FaceMotion(face.face.box, face.seconds), face.face.eyes, look});
  open_.back().track.faces.push_back(std::move(face));
}

void Tracker::extend(Open& open, TrackedFace face, const Image& look) {
  constexpr double kNewLook = 0.25;
  open.motion.update(face.face.box, face.seconds);
  open.eyes = face.face.eyes;
  open.look = normalised(open.look + kNewLook * look);
  ++open.seen;
  std::vector<TrackedFace>& faces = open.track.faces;
  faces.push_back(std::move(face));
  if (std::ssize(faces) > options_.most_faces) {
    faces.erase(std::ranges::min_element(faces, {},
                                         [](const TrackedFace& one) { return one.face.quality; }));
  }
}

void Tracker::close(const Open& open) {
  const std::vector<TrackedFace>& faces = open.track.faces;
  const double likeness =
      std::accumulate(faces.begin(), faces.end(), 0.0,
                      [](double sum, const TrackedFace& one) { return sum + one.face.likeness; });
  const bool likely = likeness >= options_.least_face * static_cast<double>(faces.size());
  if (open.seen >= options_.fewest_faces && likely) closed_.emplace_back(open.first, open.track);
}

// Another picture: what was bright where is so no longer. A light that goes on makes none.
bool Tracker::is_cut(const Image& frame) {
  constexpr double kSameView = 0.5;
  if (frame.rows() < kView.rows || frame.cols() < kView.cols) return false;
  const Image view = normalised(degrade(frame, kView, {OperatorKind::kArea}));
  const bool cut = view_.size() == 0 || view_.cwiseProduct(view).sum() < kSameView;
  view_ = view;
  return cut;
}

bool Tracker::advance(const ClipFrame& frame) {
  const bool cut = is_cut(frame.image);
  std::erase_if(open_, [&](const Open& open) {
    // Who was unseen for so long that the next face would be a guess is gone.
    const double unseen = frame.seconds - open.motion.seconds();
    const bool over = cut || unseen > options_.longest_gap ||
                      open.motion.uncertainty(frame.seconds) > kLargestUncertainty;
    if (over) close(open);
    return over;
  });
  return cut;
}

std::vector<Eyes> Tracker::expected(const ClipFrame& frame) const {
  std::vector<Eyes> eyes;
  for (const Open& open : open_) {
    const double gap = frame.seconds - open.motion.seconds();
    const Point by = {gap * open.motion.speed().x, gap * open.motion.speed().y};
    const double apart = eye_distance(open.eyes);
    for (const Point& aside : open.seen < kKnownFrom ? kAllAround : kThere) {
      eyes.push_back(moved_by(open.eyes, by.x + aside.x * apart, by.y + aside.y * apart));
    }
  }
  return eyes;
}

void Tracker::add(const ClipFrame& frame, const std::vector<FoundFace>& faces) {
  std::vector<TrackedFace> seen;
  std::vector<Image> looks;
  for (const FoundFace& face : faces) {
    seen.push_back(tracked_face(frame.image, frame.number, frame.seconds, face));
    looks.push_back(look_of(seen.back()));
  }
  const std::vector<Link> possible = links(seen, looks);
  std::vector<bool> linked(open_.size(), false);
  std::vector<bool> doubtful(open_.size(), false);
  std::vector<bool> taken(seen.size(), false);
  for (const Link& link : possible) {
    if (linked[link.track] || doubtful[link.track] || taken[link.face]) continue;
    for (const Link& other : possible) {
      if (other.face != link.face || other.track == link.track || linked[other.track]) continue;
      if (other.cost < link.cost + kClearly) doubtful[link.track] = doubtful[other.track] = true;
    }
    if (doubtful[link.track]) continue;
    linked[link.track] = taken[link.face] = true;
    extend(open_[link.track], std::move(seen[link.face]), looks[link.face]);
  }
  for (std::size_t t = open_.size(); t-- > 0;) {
    if (!doubtful[t]) continue;
    close(open_[t]);
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(t));
  }
  for (std::size_t f = 0; f < seen.size(); ++f) {
    if (!taken[f]) start(std::move(seen[f]), looks[f]);
  }
}

std::vector<FaceTrack> Tracker::finish() {
  for (const Open& open : open_) close(open);
  open_.clear();
  view_ = {};
  std::ranges::stable_sort(closed_, {}, &std::pair<Index, FaceTrack>::first);
  std::vector<FaceTrack> tracks;
  for (auto& [first, track] : closed_) {
    align_track(track);
    tracks.push_back(std::move(track));
  }
  closed_.clear();
  return tracks;
}

}  // namespace longshot
