// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/clpm.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "longshot/core/decompositions.h"
#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/recognize/tune.h"

namespace longshot {
namespace {

constexpr Index kMostNeighbours = 5;  // that a candidate asks for
constexpr Index kBlock = 256;         // samples whose distances are held at once

ClpmTraining make_clpm_training(const TrainingSet& training, const ClpmOptions& options) {
  TrainingPairOptions pair_options = options.pairs;
  pair_options.relit = options.extended;
  ClpmTraining made;
  made.pairs = make_training_pairs(training, pair_options);
  made.neighbours =
      nearest_neighbours(made.pairs.high, std::max(options.neighbours, kMostNeighbours));
  return made;
}

// Ordered by preference: fewer dimensions, more smoothing first.
std::vector<ClpmOptions> candidates(const ClpmOptions& base) {
  std::vector<ClpmOptions> list;
  for (const Index dimensions : {30, 60}) {
    for (const double tau : {1.0, 1e-1, 1e-2}) {
      for (const Index neighbours : {5, 3, 0}) {
        ClpmOptions candidate = base;
        candidate.tune = false;
        candidate.dimensions = dimensions;
        candidate.neighbours = neighbours;
        candidate.tau = tau;
        list.push_back(candidate);
      }
    }
  }
  return list;
}

}  // namespace

Neighbours nearest_neighbours(const MatrixRef& samples, Index k) {
  if (samples.size() == 0) throw Error("There are no samples to find neighbours among.");
  if (k < 0) throw Error("neighbours must be 0 or more, not {}.", k);
  const Index n = samples.cols();
  const Index kept = std::min(k, n - 1);
  const Vector squared_norms = samples.colwise().squaredNorm();
  Neighbours result;
  result.index.resize(kept, n);
  result.squared_distances.resize(kept, n);
  parallel_blocks(n, kBlock, [&](Index begin, Index end) {
    const Matrix products = samples.transpose() * samples.middleCols(begin, end - begin);
    std::vector<std::pair<double, Index>> others(static_cast<std::size_t>(n));
    for (Index j = begin; j < end; ++j) {
      for (Index i = 0; i < n; ++i) {
        const double squared =
            std::max(0.0, squared_norms(i) + squared_norms(j) - 2.0 * products(i, j - begin));
        others[static_cast<std::size_t>(i)] = {squared, i};
      }
      std::swap(others[static_cast<std::size_t>(j)], others.back());
      std::partial_sort(others.begin(), others.begin() + kept, others.end() - 1);
      for (Index r = 0; r < kept; ++r) {
        std::tie(result.squared_distances(r, j), result.index(r, j)) =
            others[static_cast<std::size_t>(r)];
      }
    }
  });
  return result;
}

Eigen::SparseMatrix<double> locality_weights(const Neighbours& neighbours, Index k) {
  const Index n = neighbours.index.cols();
  const Index kept = std::min(k, neighbours.index.rows());
  const double mean = kept > 0 ? neighbours.squared_distances.topRows(kept).mean() : 0.0;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index j = 0; j < n; ++j) {
    entries.emplace_back(j, j, 1.0);
    for (Index r = 0; r < kept; ++r) {
      const Index i = neighbours.index(r, j);
      const auto theirs = neighbours.index.col(i).head(kept);
      if ((theirs.array() != j).all()) continue;
      const double squared = neighbours.squared_distances(r, j);
      entries.emplace_back(i, j, mean > 0.0 ? std::exp(-squared / mean) : 1.0);
    }
  }
  Eigen::SparseMatrix<double> weights(n, n);
  weights.setFromTriplets(entries.begin(), entries.end());
  return weights;
}

CoupledMaps coupled_maps(const MatrixRef& low, const MatrixRef& high,
                         const Eigen::SparseMatrix<double>& weights, Index dimensions, double tau) {
  const Index n = low.cols();
  if (n == 0 || high.cols() != n || weights.rows() != n || weights.cols() != n) {
    throw Error("The pairs do not fit: {} low and {} high images, weights {} x {}.", n, high.cols(),
                weights.rows(), weights.cols());
  }
  if (dimensions < 1) throw Error("dimensions must be at least 1, not {}.", dimensions);
  if (!(tau > 0.0)) throw Error("tau must be positive, not {}.", tau);
  const Index size = low.rows() + high.rows();
  const Vector row_sums = weights * Vector::Ones(n);
  const Vector column_sums = weights.transpose() * Vector::Ones(n);
  Matrix e(size, size);
  e.topLeftCorner(low.rows(), low.rows()) = low * row_sums.asDiagonal() * low.transpose();
  e.bottomRightCorner(high.rows(), high.rows()) =
      high * column_sums.asDiagonal() * high.transpose();
  e.topRightCorner(low.rows(), high.rows()) = -(low * weights) * high.transpose();
  e.bottomLeftCorner(high.rows(), low.rows()) =
      e.topRightCorner(low.rows(), high.rows()).transpose();
  Matrix f = Matrix::Zero(size, size);
  f.topLeftCorner(low.rows(), low.rows()) = low * low.transpose();
  f.bottomRightCorner(high.rows(), high.rows()) = high * high.transpose();
  const double unit = f.trace() / static_cast<double>(size);
  if (!(unit > 0.0)) throw Error("All training pairs are the same; nothing can be learnt.");
  f.diagonal().array() += tau * unit;
  const SymmetricEigen eigen = symmetric_eigen(e, f);
  const Index kept = std::min(dimensions, size);
  return {eigen.vectors.topLeftCorner(low.rows(), kept),
          eigen.vectors.bottomLeftCorner(high.rows(), kept), eigen.values.head(kept)};
}

void ClpmOptions::check() const {
  pairs.check();
  if (dimensions < 1) throw Error("dimensions must be at least 1, not {}.", dimensions);
  if (neighbours < 0) throw Error("neighbours must be 0 or more, not {}.", neighbours);
  if (!(tau > 0.0)) throw Error("tau must be positive, not {}.", tau);
}

Clpm::Clpm(const ClpmOptions& options, std::shared_ptr<Memo> memo)
    : options_(options), settings_(options), memo_(std::move(memo)) {
  options_.check();
}

void Clpm::learn(const TrainingSet& training) {
  check_has_people(training, name());
  settings_ = tuned<Clpm>(training, options_, candidates, std::make_shared<Memo>());
  const auto make = [&] { return make_clpm_training(training, settings_); };
  const std::shared_ptr<const ClpmTraining> made =
      memo_ ? memo_->get(training, 0, make) : std::make_shared<const ClpmTraining>(make());
  const CoupledMaps maps = coupled_maps(made->pairs.low, made->pairs.high,
                                        locality_weights(made->neighbours, settings_.neighbours),
                                        settings_.dimensions, settings_.tau);
  model_ = coupled_model(made->pairs, maps.low, maps.high);
  model_.images = settings_.extended ? GalleryImages::kRelitHigh : GalleryImages::kPhotosHigh;
}

}  // namespace longshot
