// SPDX-License-Identifier: Apache-2.0
#include "longshot/search/person_scorer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "longshot/core/parallel.h"

namespace longshot {
namespace {

// Their rows stay in the second-level cache while all tiles pass.
constexpr Index kPeoplePerChunk = 64;
// So many probes are searched at a time, which bounds the memory for proposals.
constexpr Index kTilesPerPass = 20;
// People proposed beyond those asked for.
constexpr Index kSpare = 20;
// A segment must be long against the number of proposals, or keeping them would take longer than
// the scores.
constexpr Index kPeoplePerSegment = 4096;
constexpr Index kSegmentsPerThread = 4;
// How much larger than any rounding error that was seen an unseen one may be.
constexpr double kSafety = 4.0;

struct Proposal {
  float score = 0.0F;
  Index person = 0;
};

bool before(const Proposal& a, const Proposal& b) {
  return a.score < b.score || (a.score == b.score && a.person < b.person);
}

// The best few of a stream of people in ascending order.
class Shortlist {
 public:
  // Returns the score that others must stay below.
  float offer(const Proposal& proposal, std::size_t kept) {
    list_.push_back(proposal);
    if (list_.size() < 2 * kept) return limit_;
    cut(kept);
    return limit_ = list_[kept - 1].score;
  }
  // In no order, but the worst of `kept` last.
  void cut(std::size_t kept) {
    if (list_.size() < kept) return;
    std::nth_element(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(kept - 1),
                     list_.end(), before);
    list_.resize(kept);
  }
  void join(const Shortlist& other) {
    list_.insert(list_.end(), other.list_.begin(), other.list_.end());
  }
  const std::vector<Proposal>& list() const { return list_; }

 private:
  std::vector<Proposal> list_;
  float limit_ = std::numeric_limits<float>::infinity();
};

using Shortlists = std::vector<Shortlist>;  // by probe

// What scores must stay below to be among the best, by probe, as the threads tell each other: the
// sooner it is small, the more people can be ruled out early. It never changes who is among the
// best.
class SharedLimits {
 public:
  explicit SharedLimits(Index probes) : limits_(static_cast<std::size_t>(probes)) {
    for (std::atomic<float>& limit : limits_) limit = std::numeric_limits<float>::infinity();
  }
  float of(Index probe) const { return at(probe).load(std::memory_order_relaxed); }
  // Returns the smallest that anybody has told.
  float lower(Index probe, float limit) {
    std::atomic<float>& shared = limits_[static_cast<std::size_t>(probe)];
    float before = shared.load(std::memory_order_relaxed);
    while (limit < before &&
           !shared.compare_exchange_weak(before, limit, std::memory_order_relaxed)) {
    }
    return std::min(limit, before);
  }

 private:
  const std::atomic<float>& at(Index probe) const {
    return limits_[static_cast<std::size_t>(probe)];
  }

  std::vector<std::atomic<float>> limits_;
};

// Goes through people [first, last) for the probes of tiles [from, to).
Shortlists scan_tiles(const PersonScorer& scorer, const ProbeTiles& probes, Index first, Index last,
                      Index from, Index to, std::size_t kept, SharedLimits& shared) {
  const TileKernels& kernels = tile_kernels();
  const Index begin = from * kTileProbes;
  const Index end = std::min(to * kTileProbes, probes.probes());
  Shortlists lists(static_cast<std::size_t>(end - begin));
  std::vector<float> scores(static_cast<std::size_t>(kPeoplePerChunk * kTileProbes));
  for (Index chunk = first; chunk < last; chunk += kPeoplePerChunk) {
    const Index stop = std::min(last, chunk + kPeoplePerChunk);
    for (Index tile = from; tile < to; ++tile) {
      const Index offset = tile * kTileProbes - begin;
      float limit[kTileProbes];
      for (Index j = 0; j < kTileProbes; ++j) {
        // Nobody is proposed for the places of a tile that no probe fills.
        limit[j] = offset + j < end - begin ? shared.of(offset + j)
                                            : -std::numeric_limits<float>::infinity();
      }
      for (Index i = 0; i < stop - chunk; ++i) {
        std::copy_n(limit, kTileProbes, &scores[static_cast<std::size_t>(i * kTileProbes)]);
      }
      scorer.score_tile(chunk, stop, probes, tile, scores.data());
      for (Index person = chunk; person < stop; ++person) {
        const float* score = &scores[static_cast<std::size_t>((person - chunk) * kTileProbes)];
        for (std::uint32_t mask = kernels.below(score, limit); mask != 0; mask &= mask - 1) {
          const int j = std::countr_zero(mask);
          Shortlist& list = lists[static_cast<std::size_t>(offset + j)];
          limit[j] = shared.lower(offset + j, list.offer({score[j], person}, kept));
        }
      }
    }
  }
  return lists;
}

Shortlists scan_probe(const PersonScorer& scorer, const ProbeTiles& probes, Index first, Index last,
                      Index probe, std::size_t kept, SharedLimits& shared) {
  Shortlists lists(1);
  std::array<float, kPeoplePerChunk> scores;
  for (Index chunk = first; chunk < last; chunk += kPeoplePerChunk) {
    const Index stop = std::min(last, chunk + kPeoplePerChunk);
    float limit = shared.of(0);
    scores.fill(limit);
    scorer.score_probe(chunk, stop, probes, probe, scores.data());
    for (Index person = chunk; person < stop; ++person) {
      const float score = scores[static_cast<std::size_t>(person - chunk)];
      if (score < limit) limit = shared.lower(0, lists[0].offer({score, person}, kept));
    }
  }
  return lists;
}

// The best of all people, by probe. People are cut into segments by the number of threads, which
// changes no result: whoever is among the best of all is among the best of a segment.
template <typename Scan>
Shortlists scan_segments(Index people, std::size_t kept, const Scan& scan) {
  const Index most = kSegmentsPerThread * thread_count();
  const Index segments = std::clamp<Index>(people / kPeoplePerSegment, 1, most);
  std::vector<Shortlists> found(static_cast<std::size_t>(segments));
  parallel_for(segments, [&](Index i) {
    found[static_cast<std::size_t>(i)] = scan(people * i / segments, people * (i + 1) / segments);
  });
  Shortlists best = std::move(found[0]);
  for (std::size_t i = 1; i < found.size(); ++i) {
    for (std::size_t j = 0; j < best.size(); ++j) best[j].join(found[i][j]);
  }
  for (Shortlist& list : best) list.cut(kept);
  return best;
}

struct Decided {
  double distance = 0.0;
  Index person = 0;
};

bool nearer(const Decided& a, const Decided& b) {
  return a.distance < b.distance || (a.distance == b.distance && a.person < b.person);
}

std::vector<Decided> compare_with_all(const PersonScorer& scorer, const VectorRef& features) {
  std::vector<Decided> people(static_cast<std::size_t>(scorer.people()));
  parallel_blocks(scorer.people(), kPeoplePerChunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      people[static_cast<std::size_t>(i)] = {scorer.distances(i, features)[0], i};
    }
  });
  return people;
}

// Everybody from `proposals`, or everybody at all where the errors leave doubt.
std::vector<Decided> decide(const PersonScorer& scorer, const VectorRef& features,
                            const std::vector<Proposal>& proposals, Index top) {
  // Scores that are no numbers are never proposed.
  if (std::ssize(proposals) < std::min(top + kSpare, scorer.people())) {
    return compare_with_all(scorer, features);
  }
  std::vector<Decided> people;
  people.reserve(proposals.size());
  double error = 0.0;
  for (const Proposal& proposal : proposals) {
    people.push_back({scorer.distances(proposal.person, features)[0], proposal.person});
    error = std::max(error, std::abs(people.back().distance - static_cast<double>(proposal.score)));
  }
  const auto last = people.begin() + static_cast<std::ptrdiff_t>(top - 1);
  std::nth_element(people.begin(), last, people.end(), nearer);
  const auto limit = static_cast<double>(proposals.back().score) - kSafety * error;
  if (static_cast<Index>(people.size()) < scorer.people() && !(last->distance < limit)) {
    people = compare_with_all(scorer, features);
  }
  return people;
}

void write_matches(std::vector<Decided>& people, Index probe, Matches& matches) {
  const Index top = matches.people.rows();
  std::partial_sort(people.begin(), people.begin() + static_cast<std::ptrdiff_t>(top), people.end(),
                    nearer);
  for (Index k = 0; k < top; ++k) {
    matches.people(k, probe) = people[static_cast<std::size_t>(k)].person;
    matches.distances(k, probe) = people[static_cast<std::size_t>(k)].distance;
  }
}

}  // namespace

ProbeTiles::ProbeTiles(const MatrixRef& features)
    : probes_(features.cols()),
      depth_(features.rows() + 2),
      tiles_(at(tiles() * kTileProbes * depth_), 0.0F),
      squared_norms_(at(tiles() * kTileProbes), 0.0F) {
  if (probes_ <= kFewProbes) spread_.resize(at(probes_ * kPanelRows * depth_));
  for (Index j = 0; j < probes_; ++j) {
    const double squared_norm = features.col(j).squaredNorm();
    squared_norms_[at(j)] = static_cast<float>(squared_norm);
    const auto value = [&](Index t) {
      if (t < features.rows()) return static_cast<float>(features(t, j));
      return t == features.rows() ? 1.0F : static_cast<float>(-0.5 * squared_norm);
    };
    float* tile = &tiles_[at(j / kTileProbes * kTileProbes * depth_ + j % kTileProbes)];
    for (Index t = 0; t < depth_; ++t) tile[t * kTileProbes] = value(t);
    if (spread_.empty()) continue;
    for (Index t = 0; t < depth_; ++t) {
      std::fill_n(&spread_[at((j * depth_ + t) * kPanelRows)], kPanelRows, value(t));
    }
  }
}

Matrix all_distances(const PersonScorer& scorer, const MatrixRef& features) {
  Matrix result(scorer.people(), features.cols());
  parallel_for(scorer.people(),
               [&](Index i) { result.row(i) = scorer.distances(i, features).transpose(); });
  for (Index j = 0; j < features.cols(); ++j) {
    if (features.col(j).isZero(0.0)) result.col(j).setConstant(scorer.far());
  }
  return result;
}

Matches search_people(const PersonScorer& scorer, const MatrixRef& features, Index top) {
  top = std::min(top, scorer.people());
  if (top < 1) return {{0, features.cols()}, {0, features.cols()}};
  const Index kept = top + kSpare;
  Matches matches{{top, features.cols()}, {top, features.cols()}};
  const ProbeTiles probes(features);
  const auto search = [&](Index first_probe, Index count, const auto& scan) {
    SharedLimits limits(count);
    const Shortlists lists =
        scan_segments(scorer.people(), static_cast<std::size_t>(kept),
                      [&](Index first, Index last) { return scan(first, last, limits); });
    parallel_for(static_cast<Index>(lists.size()), [&](Index i) {
      const Index probe = first_probe + i;
      if (features.col(probe).isZero(0.0)) {
        for (Index k = 0; k < top; ++k) matches.people(k, probe) = k;
        matches.distances.col(probe).setConstant(scorer.far());
        return;
      }
      std::vector<Decided> people =
          decide(scorer, features.col(probe), lists[static_cast<std::size_t>(i)].list(), top);
      write_matches(people, probe, matches);
    });
  };
  if (probes.probes() <= ProbeTiles::kFewProbes) {
    for (Index j = 0; j < probes.probes(); ++j) {
      search(j, 1, [&](Index first, Index last, SharedLimits& limits) {
        return scan_probe(scorer, probes, first, last, j, static_cast<std::size_t>(kept), limits);
      });
    }
    return matches;
  }
  for (Index from = 0; from < probes.tiles(); from += kTilesPerPass) {
    const Index to = std::min(probes.tiles(), from + kTilesPerPass);
    search(from * kTileProbes, (to - from) * kTileProbes,
           [&](Index first, Index last, SharedLimits& limits) {
             return scan_tiles(scorer, probes, first, last, from, to,
                               static_cast<std::size_t>(kept), limits);
           });
  }
  return matches;
}

}  // namespace longshot
