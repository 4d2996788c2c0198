// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "longshot/decide/background.h"
#include "longshot/decide/probe_tracks.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/open_index.h"

namespace longshot {

struct PersonDistance {
  PersonId person = 0;
  double distance = 0.0;
};

// The enrolled people nearest to each probe, and how near the background comes.
struct Nearest {
  std::vector<std::vector<PersonDistance>> people;  // by probe, nearest first
  Matrix background;  // background people x probes; no rows without a background
  // Of tracks with a background: how alike their frames are (track_likeness()), as it sees them.
  Vector alike;

  double nearest_background(Index probe) const;  // infinity without a background
};

// Background people laid out for searching; null for methods whose distances depend on each other,
// which are searched without a background.
std::shared_ptr<const Searcher> enrol_background(const GalleryModel& model,
                                                 const Background& background);

// Probes against the people of one model and the background beside them, wherever the people lie.
class PeopleSearch {
 public:
  virtual ~PeopleSearch() = default;

  // The `top` nearest people of each probe (N_L x n), or all people if there are fewer.
  virtual Nearest search(const MatrixRef& probes, Index top) const = 0;

  // The same for tracks. What is averaged over the probes of one, by their weights, are distances
  // above `zero`, in units of the probe's mean distance to the background, so that a bad frame does
  // not outweigh the others.
  virtual Nearest search_tracks(const MatrixRef& probes, const ProbeTracks& tracks, double zero,
                                Index top) const = 0;

  // Distances of each probe to people (rows in that order), and to the background below them.
  virtual Matrix distances(const MatrixRef& probes, const std::vector<PersonId>& people) const = 0;

  virtual const GalleryModel& model() const = 0;

  // The same people, for probes that another camera took.
  virtual std::unique_ptr<const PeopleSearch> for_camera(
      const std::optional<Camera>& camera) const = 0;
};

using NearestPeople = std::vector<std::vector<PersonDistance>>;  // by probe, nearest first

// Equally near people in order of id, as everywhere.
void keep_nearest(std::vector<PersonDistance>& people, Index top);

// What distances to the background (people x probes) say about tracks: the unit of each probe, and
// their means over each track in that unit.
struct TrackUnits {
  Vector unit;  // n; empty without a background
  Matrix background;
  Vector alike;  // as of Nearest
};
TrackUnits track_units(const MatrixRef& background, const ProbeTracks& tracks, double zero);

// Searches an opened index of one model, and the background people beside it, for one thread: all
// is shared but the connection to the gallery, which must outlive it, as the model must.
class GallerySearch final : public PeopleSearch {
 public:
  // `camera`: which took the probes.
  GallerySearch(const GalleryStore& gallery, const GalleryModel& model,
                std::shared_ptr<const Searcher> background, std::shared_ptr<const OpenIndex> index,
                std::optional<Camera> camera = {});

  Nearest search(const MatrixRef& probes, Index top) const override;
  Nearest search_tracks(const MatrixRef& probes, const ProbeTracks& tracks, double zero,
                        Index top) const override;
  Matrix distances(const MatrixRef& probes, const std::vector<PersonId>& people) const override;

  // The parts of these without a background; `unit` as of track_units().
  NearestPeople nearest(const MatrixRef& probes, Index top) const;
  NearestPeople nearest_tracks(const MatrixRef& probes, const ProbeTracks& tracks, double zero,
                               Vector unit, Index top) const;

  const GalleryModel& model() const override { return model_; }
  std::unique_ptr<const PeopleSearch> for_camera(
      const std::optional<Camera>& camera) const override;
  const GalleryStore& gallery() const { return gallery_; }
  Index background_people() const { return background_ ? background_->people() : 0; }
  Matrix background_distances(const MatrixRef& probes) const;

 private:
  // The people in memory, for the probes' camera; nothing if they stayed in the file.
  std::optional<IndexBlock> whole_index() const;
  Matrix background_distances(const PreparedProbes& probes) const;
  // Blocks that cover the index.
  void for_each(const std::function<void(const IndexBlock&)>& visit) const;

  const GalleryStore& gallery_;
  const GalleryModel& model_;
  std::shared_ptr<const Searcher> plain_background_;
  std::shared_ptr<const Searcher> background_;  // for the camera
  std::shared_ptr<const OpenIndex> index_;
  std::optional<Camera> camera_;
};

}  // namespace longshot
