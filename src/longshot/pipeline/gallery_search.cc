// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_search.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/decide/crowd.h"

namespace longshot {
namespace {

constexpr Index kProbesPerBatch = 960;

bool nearer(const PersonDistance& a, const PersonDistance& b) {
  return a.distance < b.distance || (a.distance == b.distance && a.person < b.person);
}

void merge(const IndexBlock& block, const Matches& matches, Index first_probe, Index top,
           NearestPeople& nearest) {
  for (Index j = 0; j < matches.people.cols(); ++j) {
    auto& people = nearest[static_cast<std::size_t>(first_probe + j)];
    for (Index k = 0; k < matches.people.rows(); ++k) {
      people.push_back(
          {block.people[static_cast<std::size_t>(matches.people(k, j))], matches.distances(k, j)});
    }
    keep_nearest(people, top);
  }
}

// Distances above zero (people x probes), in their unit, over the tracks.
void merge_tracks(const IndexBlock& block, Matrix distances, const ProbeTracks& tracks,
                  Vector& unit, Index top, NearestPeople& nearest) {
  // Without a background all people are in one block, and their own mean serves as well.
  if (unit.size() == 0) unit = distances.colwise().mean().transpose();
  const Vector scale = unit.cwiseMax(1e-12).cwiseInverse();
  distances = track_means(distances * scale.asDiagonal(), tracks);
  merge(block, nearest_people(distances, top), 0, top, nearest);
}

}  // namespace

void keep_nearest(std::vector<PersonDistance>& people, Index top) {
  const auto kept = std::min(static_cast<std::size_t>(top), people.size());
  std::partial_sort(people.begin(), people.begin() + static_cast<std::ptrdiff_t>(kept),
                    people.end(), nearer);
  people.resize(kept);
}

double Nearest::nearest_background(Index probe) const {
  if (background.rows() == 0) return std::numeric_limits<double>::infinity();
  return background.col(probe).minCoeff();
}

std::shared_ptr<const Searcher> enrol_background(const GalleryModel& model,
                                                 const Background& background) {
  if (!model.recognizer->has_independent_distances()) return nullptr;
  return enrol_photos(*model.recognizer, *model.extender, background.enrolled);
}

GallerySearch::GallerySearch(const GalleryStore& gallery, const GalleryModel& model,
                             std::shared_ptr<const Searcher> background,
                             std::shared_ptr<const OpenIndex> index, std::optional<Camera> camera)
    : gallery_(gallery),
      model_(model),
      plain_background_(std::move(background)),
      background_(centred(plain_background_, camera)),
      index_(std::move(index)),
      camera_(std::move(camera)) {}

std::unique_ptr<const PeopleSearch> GallerySearch::for_camera(
    const std::optional<Camera>& camera) const {
  return std::make_unique<GallerySearch>(gallery_, model_, plain_background_, index_, camera);
}

void GallerySearch::for_each(const std::function<void(const IndexBlock&)>& visit) const {
  const auto visit_centred = [&](const IndexBlock& block) {
    visit({block.people, centred(block.searcher, camera_)});
  };
  if (!index_->block.searcher) {
    for_each_block(gallery_, model_, visit_centred);
  } else if (!index_->block.people.empty()) {
    visit_centred(index_->block);
  }
}

Matrix GallerySearch::background_distances(const MatrixRef& probes) const {
  if (!background_) return Matrix(0, probes.cols());
  return background_->distances(probes);
}

NearestPeople GallerySearch::nearest(const MatrixRef& probes, Index top) const {
  NearestPeople nearest(static_cast<std::size_t>(probes.cols()));
  for_each([&](const IndexBlock& block) {
    for (Index first = 0; first < probes.cols(); first += kProbesPerBatch) {
      const Index count = std::min(kProbesPerBatch, probes.cols() - first);
      merge(block, block.searcher->search(probes.middleCols(first, count), top), first, top,
            nearest);
    }
  });
  return nearest;
}

std::optional<IndexBlock> GallerySearch::whole_index() const {
  if (!index_->block.searcher || index_->block.people.empty()) return std::nullopt;
  return IndexBlock{index_->block.people, centred(index_->block.searcher, camera_)};
}

Matrix GallerySearch::background_distances(const PreparedProbes& probes) const {
  if (!background_) return Matrix(0, probes.images.cols());
  return background_->prepared_distances(probes);
}

Nearest GallerySearch::search(const MatrixRef& probes, Index top) const {
  const std::optional<IndexBlock> block = whole_index();
  if (!block) return {nearest(probes, top), background_distances(probes), {}};
  Nearest result{NearestPeople(static_cast<std::size_t>(probes.cols())),
                 Matrix(background_people(), probes.cols()),
                 {}};
  for (Index first = 0; first < probes.cols(); first += kProbesPerBatch) {
    const Index count = std::min(kProbesPerBatch, probes.cols() - first);
    const auto prepared = block->searcher->prepare(probes.middleCols(first, count));
    merge(*block, block->searcher->search_prepared(*prepared, top), first, top, result.people);
    result.background.middleCols(first, count) = background_distances(*prepared);
  }
  return result;
}

TrackUnits track_units(const MatrixRef& background, const ProbeTracks& tracks, double zero) {
  TrackUnits units;
  if (background.rows() == 0) return units;
  const Matrix above = background.array() - zero;
  units.unit = above.colwise().mean().transpose();
  const Vector scale = units.unit.cwiseMax(1e-12).cwiseInverse();
  const Matrix scaled = above * scale.asDiagonal();
  units.background = track_means(scaled, tracks);
  units.alike = track_likeness(scaled, tracks);
  return units;
}

NearestPeople GallerySearch::nearest_tracks(const MatrixRef& probes, const ProbeTracks& tracks,
                                            double zero, Vector unit, Index top) const {
  NearestPeople nearest(static_cast<std::size_t>(tracks.count));
  for_each([&](const IndexBlock& block) {
    merge_tracks(block, block.searcher->distances(probes).array() - zero, tracks, unit, top,
                 nearest);
  });
  return nearest;
}

Nearest GallerySearch::search_tracks(const MatrixRef& probes, const ProbeTracks& tracks,
                                     double zero, Index top) const {
  assert(std::ssize(tracks.track) == probes.cols() && tracks.weight.size() == probes.cols());
  if (const std::optional<IndexBlock> block = whole_index()) {
    const auto prepared = block->searcher->prepare(probes);
    TrackUnits units = track_units(background_distances(*prepared), tracks, zero);
    Nearest result{NearestPeople(static_cast<std::size_t>(tracks.count)),
                   std::move(units.background), std::move(units.alike)};
    merge_tracks(*block, block->searcher->prepared_distances(*prepared).array() - zero, tracks,
                 units.unit, top, result.people);
    return result;
  }
  TrackUnits units = track_units(background_distances(probes), tracks, zero);
  return {nearest_tracks(probes, tracks, zero, std::move(units.unit), top),
          std::move(units.background), std::move(units.alike)};
}

Matrix GallerySearch::distances(const MatrixRef& probes,
                                const std::vector<PersonId>& people) const {
  const IndexBlock block = block_of(gallery_, model_, people);
  if (block.people.size() != people.size()) {
    throw Error("Somebody was removed from {} meanwhile; try again.", gallery_.path().string());
  }
  const std::shared_ptr<const Searcher> searcher = centred(block.searcher, camera_);
  const auto prepared = searcher->prepare(probes);
  const Matrix background = background_distances(*prepared);
  Matrix all(static_cast<Index>(people.size()) + background.rows(), probes.cols());
  all << searcher->prepared_distances(*prepared), background;
  return all;
}

}  // namespace longshot
