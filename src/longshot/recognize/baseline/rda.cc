// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/rda.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "longshot/core/decompositions.h"
#include "longshot/core/error.h"
#include "longshot/recognize/tune.h"

namespace longshot {
namespace {

constexpr double kRankCut = 1e-9;  // of the between-class scatter, relative to its largest

struct Scatter {
  Matrix between;  // d x d
  Matrix within;   // d x d
  Index classes = 0;
};

Scatter class_scatter(const MatrixRef& samples, const std::vector<int>& classes) {
  std::map<int, std::vector<Index>> members;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    members[classes[i]].push_back(static_cast<Index>(i));
  }
  const auto n = static_cast<double>(samples.cols());
  const Vector mean = samples.rowwise().mean();
  Matrix means(samples.rows(), static_cast<Index>(members.size()));
  Matrix centred(samples.rows(), samples.cols());
  Index c = 0;
  for (const auto& [label, columns] : members) {
    const Matrix own = samples(Eigen::all, columns);
    const Vector own_mean = own.rowwise().mean();
    means.col(c++) = std::sqrt(static_cast<double>(columns.size()) / n) * (own_mean - mean);
    centred(Eigen::all, columns) = own.colwise() - own_mean;
  }
  return {means * means.transpose(), centred * centred.transpose() / n,
          static_cast<Index>(members.size())};
}

// Ordered by preference: with relit images, the plain distance, more smoothing first.
std::vector<RdaOptions> candidates(const RdaOptions& base) {
  std::vector<RdaOptions> list;
  for (const bool relit_training : {true, false}) {
    for (const NearestMetric metric : {NearestMetric::kEuclidean, NearestMetric::kCosine}) {
      for (const double eta : {1.0, 0.3, 0.1, 0.03, 0.01, 0.001}) {
        RdaOptions candidate = base;
        candidate.tune = false;
        candidate.relit_training = relit_training;
        candidate.metric = metric;
        candidate.eta = eta;
        list.push_back(candidate);
      }
    }
  }
  return list;
}

}  // namespace

Matrix regularised_discriminant(const MatrixRef& samples, const std::vector<int>& classes,
                                Index dimensions, double eta) {
  if (samples.size() == 0 || static_cast<Index>(classes.size()) != samples.cols()) {
    throw Error("A discriminant was given {} samples but {} labels.", samples.cols(),
                classes.size());
  }
  if (dimensions < 1) throw Error("dimensions must be at least 1, not {}.", dimensions);
  if (!(eta > 0.0)) throw Error("eta must be positive, not {}.", eta);
  const Scatter scatter = class_scatter(samples, classes);
  const SymmetricEigen between = symmetric_eigen(scatter.between);
  const Vector& energies = between.values;
  const Index full = energies.size();
  Index rank = 0;
  while (rank < std::min(full, scatter.classes - 1) &&
         energies(full - 1 - rank) > kRankCut * energies(full - 1)) {
    ++rank;
  }
  if (rank == 0) throw Error("All training people look the same; nothing tells them apart.");
  const Matrix h =
      between.vectors.rightCols(rank) * energies.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
  const SymmetricEigen within = symmetric_eigen(h.transpose() * scatter.within * h);
  const Index kept = std::min(dimensions, rank);
  const Vector smallest = within.values.head(kept).cwiseMax(0.0);
  return h * within.vectors.leftCols(kept) * (smallest.array() + eta).rsqrt().matrix().asDiagonal();
}

void RdaOptions::check() const {
  pairs.check();
  if (dimensions < 1) throw Error("dimensions must be at least 1, not {}.", dimensions);
  if (!(eta > 0.0 && eta <= 1.0)) throw Error("eta must be in (0, 1], not {}.", eta);
}

Rda::Rda(const RdaOptions& options, std::shared_ptr<Memo> memo)
    : options_(options), settings_(options), memo_(std::move(memo)) {
  options_.check();
}

void Rda::learn(const TrainingSet& training) {
  check_has_people(training, name());
  settings_ = tuned<Rda>(training, options_, candidates, std::make_shared<Memo>());
  TrainingPairOptions pair_options = settings_.pairs;
  pair_options.relit = settings_.relit_training;
  const auto make = [&] { return make_training_pairs(training, pair_options); };
  const std::shared_ptr<const TrainingPairs> pairs =
      memo_ ? memo_->get(training, settings_.relit_training ? 1 : 0, make)
            : std::make_shared<const TrainingPairs>(make());
  const Matrix map =
      regularised_discriminant(pairs->low, pairs->subjects, settings_.dimensions, settings_.eta);
  model_ = coupled_model(*pairs, map, Matrix::Identity(pairs->high.rows(), map.cols()));
  model_.gallery = model_.probe;
  model_.metric = settings_.metric;
  model_.images = GalleryImages::kRelitLow;
}

}  // namespace longshot
