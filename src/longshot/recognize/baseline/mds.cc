// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/mds.h"

#include <algorithm>
#include <utility>

#include <Eigen/QR>

#include "longshot/core/error.h"
#include "longshot/recognize/tune.h"

namespace longshot {
namespace {

constexpr double kSmallestDistance = 1e-9;  // below it the majoriser's weight is 0

// n x n, entry (i, j): squared distance between column i of `rows` and column j of `columns`.
Matrix squared_distances(const MatrixRef& rows, const MatrixRef& columns) {
  Matrix result = -2.0 * rows.transpose() * columns;
  result.colwise() += Vector(rows.colwise().squaredNorm().transpose());
  result.rowwise() += columns.colwise().squaredNorm();
  return result.cwiseMax(0.0);
}

// sum_ij w_ij D_ij D_ij' with D_ij = [h_i; -l_j], from the blocks.
Matrix weighted_scatter(const MatrixRef& high, const MatrixRef& low, const MatrixRef& weights) {
  const Vector row_sums = weights.rowwise().sum();
  const Vector column_sums = weights.colwise().sum();
  Matrix scatter(high.rows() + low.rows(), high.rows() + low.rows());
  scatter.topLeftCorner(high.rows(), high.rows()) = high * row_sums.asDiagonal() * high.transpose();
  scatter.bottomRightCorner(low.rows(), low.rows()) =
      low * column_sums.asDiagonal() * low.transpose();
  scatter.topRightCorner(high.rows(), low.rows()) = -(high * weights) * low.transpose();
  scatter.bottomLeftCorner(low.rows(), high.rows()) =
      scatter.topRightCorner(high.rows(), low.rows()).transpose();
  return scatter;
}

struct Problem {
  Matrix target;  // d_ij, n x n
  Matrix same;    // 1 where i and j are one person
};

Problem make_problem(const MatrixRef& high, const std::vector<int>& subjects,
                     bool same_person_at_0) {
  const Index n = high.cols();
  Problem problem{squared_distances(high, high).cwiseSqrt(), Matrix::Zero(n, n)};
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      if (subjects[static_cast<std::size_t>(i)] != subjects[static_cast<std::size_t>(j)]) continue;
      problem.same(i, j) = 1.0;
      if (same_person_at_0 || i == j) problem.target(i, j) = 0.0;
    }
  }
  return problem;
}

double objective(const Problem& problem, const Matrix& mapped_distances, double lambda) {
  return lambda * (mapped_distances - problem.target).squaredNorm() +
         (1.0 - lambda) * problem.same.cwiseProduct(mapped_distances).squaredNorm();
}

// The leading principal directions of the high features, and the linear prediction of those
// coordinates from the low ones.
Matrix initial_maps(const MatrixRef& low, const MatrixRef& high, Index dimensions) {
  Matrix maps(high.rows() + low.rows(), dimensions);
  maps.topRows(high.rows()) = Matrix::Identity(high.rows(), dimensions);
  maps.bottomRows(low.rows()) = low.transpose().completeOrthogonalDecomposition().solve(
      Matrix(high.topRows(dimensions).transpose()));
  return maps;
}

// Ordered by preference: fewer features, more weight on the distances first.
std::vector<MdsOptions> candidates(const MdsOptions& base) {
  std::vector<MdsOptions> list;
  for (const double low_energy : {0.98, 0.995}) {
    for (const double lambda : {0.1, 0.02, 0.005}) {
      for (const bool same_person_at_0 : {false, true}) {
        MdsOptions candidate = base;
        candidate.tune = false;
        candidate.pairs.low.pca.energy = low_energy;
        candidate.map.lambda = lambda;
        candidate.map.same_person_at_0 = same_person_at_0;
        list.push_back(candidate);
      }
    }
  }
  return list;
}

}  // namespace

void MdsMapOptions::check() const {
  if (dimensions < 1) throw Error("dimensions must be at least 1, not {}.", dimensions);
  if (!(lambda > 0.0 && lambda <= 1.0)) throw Error("lambda must be in (0, 1], not {}.", lambda);
  if (max_iterations < 0) throw Error("max_iterations must be 0 or more, not {}.", max_iterations);
  if (!(tolerance >= 0.0)) throw Error("tolerance must be 0 or more, not {}.", tolerance);
}

MdsMaps mds_maps(const MatrixRef& low, const MatrixRef& high, const std::vector<int>& subjects,
                 const MdsMapOptions& options) {
  options.check();
  const Index n = low.cols();
  if (n == 0 || high.cols() != n || static_cast<Index>(subjects.size()) != n) {
    throw Error("The pairs do not fit: {} low and {} high images, {} labels.", n, high.cols(),
                subjects.size());
  }
  const Problem problem = make_problem(high, subjects, options.same_person_at_0);
  const Matrix weights = (1.0 - options.lambda) * problem.same.array() + options.lambda;
  const auto a = Matrix(weighted_scatter(high, low, weights)).completeOrthogonalDecomposition();
  Matrix maps = initial_maps(low, high, std::min(options.dimensions, high.rows()));

  MdsMaps result;
  for (Index iteration = 0;; ++iteration) {
    const Matrix q = squared_distances(maps.topRows(high.rows()).transpose() * high,
                                       maps.bottomRows(low.rows()).transpose() * low)
                         .cwiseSqrt();
    result.objectives.push_back(objective(problem, q, options.lambda));
    const std::size_t last = result.objectives.size() - 1;
    result.converged = last > 0 && result.objectives[last - 1] - result.objectives[last] <=
                                       options.tolerance * result.objectives[last - 1];
    if (result.converged || iteration == options.max_iterations) break;
    const Matrix pull = (q.array() < kSmallestDistance)
                            .select(0.0, options.lambda * problem.target.array() / q.array());
    maps = a.solve(weighted_scatter(high, low, pull) * maps);
  }
  result.high = maps.topRows(high.rows());
  result.low = maps.bottomRows(low.rows());
  return result;
}

void MdsOptions::check() const {
  pairs.check();
  map.check();
}

Mds::Mds(const MdsOptions& options, std::shared_ptr<Memo> memo)
    : options_(options), settings_(options), memo_(std::move(memo)) {
  options_.check();
}

void Mds::learn(const TrainingSet& training) {
  check_has_people(training, name());
  settings_ = tuned<Mds>(training, options_, candidates, std::make_shared<Memo>());
  const auto variant = static_cast<Index>(1e6 * settings_.pairs.low.pca.energy);
  const auto make = [&] { return make_training_pairs(training, settings_.pairs); };
  const std::shared_ptr<const TrainingPairs> pairs =
      memo_ ? memo_->get(training, variant, make) : std::make_shared<const TrainingPairs>(make());
  const MdsMaps maps = mds_maps(pairs->low, pairs->high, pairs->subjects, settings_.map);
  model_ = coupled_model(*pairs, maps.low, maps.high);
  model_.images = settings_.extended ? GalleryImages::kRelitHigh : GalleryImages::kPhotosHigh;
}

}  // namespace longshot
