// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "longshot/decide/background.h"
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

  double nearest_background(Index probe) const;  // infinity without a background
};

// Background people laid out for searching; null for methods whose distances depend on each other,
// which are searched without a background.
std::shared_ptr<const Searcher> enrol_background(const GalleryModel& model,
                                                 const Background& background);

// Searches an opened index of one model, and the background people beside it, for one thread: all
// is shared but the connection to the gallery, which must outlive it, as the model must.
class GallerySearch {
 public:
  GallerySearch(const GalleryStore& gallery, const GalleryModel& model,
                std::shared_ptr<const Searcher> background, std::shared_ptr<const OpenIndex> index);

  // The `top` nearest people of each probe (N_L x n), or all people if there are fewer.
  Nearest search(const MatrixRef& probes, Index top) const;

  // The same for tracks: the probes of equal `tracks` (n, numbers from 0 to count - 1) show one
  // person. What is averaged over them are distances above `zero`, in units of the probe's mean
  // distance to the background, so that a bad frame does not outweigh the others.
  Nearest search_tracks(const MatrixRef& probes, std::span<const Index> tracks, Index count,
                        double zero, Index top) const;

  // Distances of each probe to people (rows in that order), and to the background below them.
  Matrix distances(const MatrixRef& probes, const std::vector<PersonId>& people) const;

  const GalleryModel& model() const { return model_; }
  const GalleryStore& gallery() const { return gallery_; }
  Index background_people() const { return background_ ? background_->people() : 0; }
  Matrix background_distances(const MatrixRef& probes) const;

 private:
  // Blocks that cover the index.
  void for_each(const std::function<void(const IndexBlock&)>& visit) const;

  const GalleryStore& gallery_;
  const GalleryModel& model_;
  std::shared_ptr<const Searcher> background_;
  std::shared_ptr<const OpenIndex> index_;
};

// At most `count` of the enrolled people, spread evenly over them, in the order of their names.
std::vector<PersonId> some_people(const GalleryStore& gallery, Index count);

}  // namespace longshot
