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

// Equally near people in order of id, as everywhere.
bool nearer(const PersonDistance& a, const PersonDistance& b) {
  return a.distance < b.distance || (a.distance == b.distance && a.person < b.person);
}

void keep_nearest(std::vector<PersonDistance>& people, Index top) {
  const auto kept = std::min(static_cast<std::size_t>(top), people.size());
  std::partial_sort(people.begin(), people.begin() + static_cast<std::ptrdiff_t>(kept),
                    people.end(), nearer);
  people.resize(kept);
}

void merge(const IndexBlock& block, const Matches& matches, Index first_probe, Index top,
           Nearest& nearest) {
  for (Index j = 0; j < matches.people.cols(); ++j) {
    auto& people = nearest.people[static_cast<std::size_t>(first_probe + j)];
    for (Index k = 0; k < matches.people.rows(); ++k) {
      people.push_back(
          {block.people[static_cast<std::size_t>(matches.people(k, j))], matches.distances(k, j)});
    }
    keep_nearest(people, top);
  }
}

// The mean over the probes of each track, rows x n -> rows x count.
Matrix track_means(const Matrix& values, std::span<const Index> tracks, Index count) {
  Matrix means = Matrix::Zero(values.rows(), count);
  Vector sizes = Vector::Zero(count);
  for (Index j = 0; j < values.cols(); ++j) {
    const Index track = tracks[static_cast<std::size_t>(j)];
    means.col(track) += values.col(j);
    sizes(track) += 1.0;
  }
  return means * sizes.cwiseInverse().asDiagonal();
}

}  // namespace

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
                             std::shared_ptr<const OpenIndex> index)
    : gallery_(gallery),
      model_(model),
      background_(std::move(background)),
      index_(std::move(index)) {}

void GallerySearch::for_each(const std::function<void(const IndexBlock&)>& visit) const {
  if (!index_->block.searcher) {
    for_each_block(gallery_, model_, visit);
  } else if (!index_->block.people.empty()) {
    visit(index_->block);
  }
}

Matrix GallerySearch::background_distances(const MatrixRef& probes) const {
  if (!background_) return Matrix(0, probes.cols());
  return background_->distances(probes);
}

Nearest GallerySearch::search(const MatrixRef& probes, Index top) const {
  Nearest nearest;
  nearest.people.resize(static_cast<std::size_t>(probes.cols()));
  nearest.background = background_distances(probes);
  for_each([&](const IndexBlock& block) {
    for (Index first = 0; first < probes.cols(); first += kProbesPerBatch) {
      const Index count = std::min(kProbesPerBatch, probes.cols() - first);
      merge(block, block.searcher->search(probes.middleCols(first, count), top), first, top,
            nearest);
    }
  });
  return nearest;
}

Nearest GallerySearch::search_tracks(const MatrixRef& probes, std::span<const Index> tracks,
                                     Index count, double zero, Index top) const {
  assert(std::ssize(tracks) == probes.cols());
  Nearest nearest;
  nearest.people.resize(static_cast<std::size_t>(count));
  const Matrix background = background_distances(probes).array() - zero;
  // Without a background all people are in one block, and their own mean serves as well.
  Vector unit;
  if (background.rows() > 0) unit = background.colwise().mean().transpose();
  for_each([&](const IndexBlock& block) {
    Matrix distances = block.searcher->distances(probes).array() - zero;
    if (unit.size() == 0) unit = distances.colwise().mean().transpose();
    const Vector scale = unit.cwiseMax(1e-12).cwiseInverse();
    distances = track_means(distances * scale.asDiagonal(), tracks, count);
    merge(block, nearest_people(distances, top), 0, top, nearest);
  });
  if (background.rows() > 0) {
    const Vector scale = unit.cwiseMax(1e-12).cwiseInverse();
    nearest.background = track_means(background * scale.asDiagonal(), tracks, count);
  }
  return nearest;
}

Matrix GallerySearch::distances(const MatrixRef& probes,
                                const std::vector<PersonId>& people) const {
  const IndexBlock block = block_of(gallery_, model_, people);
  if (block.people.size() != people.size()) {
    throw Error("Somebody was removed from {} meanwhile; try again.", gallery_.path().string());
  }
  const Matrix background = background_distances(probes);
  Matrix all(static_cast<Index>(people.size()) + background.rows(), probes.cols());
  all << block.searcher->distances(probes), background;
  return all;
}

std::vector<PersonId> some_people(const GalleryStore& gallery, Index count) {
  const PersonId last = gallery.last_person_id();
  std::vector<Person> chosen;
  for (Index k = 0; k < count; ++k) {
    const PersonId from = 1 + last * k / count;
    const std::vector<Person> found = gallery.people({from, last}, 1);
    if (!found.empty() && (chosen.empty() || found[0].id > chosen.back().id)) {
      chosen.push_back(found[0]);
    }
  }
  // So that what is learnt from them does not depend on who was enrolled first.
  std::ranges::sort(chosen, {}, &Person::name);
  std::vector<PersonId> people;
  for (const Person& person : chosen) people.push_back(person.id);
  return people;
}

}  // namespace longshot
