// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/vlr.h"

#include <map>
#include <utility>

#include <Eigen/Cholesky>

#include "longshot/core/decompositions.h"
#include "longshot/core/error.h"
#include "longshot/recognize/tune.h"

namespace longshot {
namespace {

constexpr double kSmallestEigenvalue = 1e-6;  // of a convex problem, in units of the mean
constexpr double kSmallestDiscrimination = 1e-3;

// Mean outer products over the pairs of one person minus those over the pairs of two people.
struct Contrast {
  Matrix low_low;   // of l_j l_j', d_L x d_L
  Matrix high_low;  // of h_i l_j', d_H x d_L
};

Contrast contrast(const MatrixRef& low, const MatrixRef& high, const std::vector<int>& subjects) {
  std::map<int, std::vector<Index>> people;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    people[subjects[i]].push_back(static_cast<Index>(i));
  }
  const auto n = static_cast<double>(low.cols());
  double same_pairs = 0.0;
  Matrix same_low_low = Matrix::Zero(low.rows(), low.rows());
  Matrix same_high_low = Matrix::Zero(high.rows(), low.rows());
  for (const auto& [subject, images] : people) {
    const auto count = static_cast<double>(images.size());
    const Matrix own = low(Eigen::all, images);
    same_pairs += count * count;
    same_low_low += count * own * own.transpose();
    same_high_low += high(Eigen::all, images).rowwise().sum() * own.rowwise().sum().transpose();
  }
  const double different_pairs = n * n - same_pairs;
  if (!(different_pairs > 0.0)) throw Error("The training pairs show one person only.");
  const Matrix all_low_low = n * low * low.transpose();
  const Matrix all_high_low = high.rowwise().sum() * low.rowwise().sum().transpose();
  return {same_low_low / same_pairs - (all_low_low - same_low_low) / different_pairs,
          same_high_low / same_pairs - (all_high_low - same_high_low) / different_pairs};
}

// Ordered by preference: the plain distance, less discrimination, more smoothing first.
std::vector<VlrOptions> candidates(const VlrOptions& base) {
  std::vector<VlrOptions> list;
  for (const NearestMetric metric : {NearestMetric::kEuclidean, NearestMetric::kCosine}) {
    for (const double discrimination : {0.0, 1.0, 3.0}) {
      for (const double ridge : {1e-2, 1e-3}) {
        VlrOptions candidate = base;
        candidate.tune = false;
        candidate.metric = metric;
        candidate.discrimination = discrimination;
        candidate.ridge = ridge;
        list.push_back(candidate);
      }
    }
  }
  return list;
}

}  // namespace

Relationship learn_relationship(const MatrixRef& low, const MatrixRef& high,
                                const std::vector<int>& subjects, double discrimination,
                                double ridge) {
  const Index n = low.cols();
  if (n == 0 || high.cols() != n || static_cast<Index>(subjects.size()) != n) {
    throw Error("The pairs do not fit: {} low and {} high images, {} labels.", n, high.cols(),
                subjects.size());
  }
  if (!(discrimination >= 0.0)) {
    throw Error("discrimination must be 0 or more, not {}.", discrimination);
  }
  if (!(ridge > 0.0)) throw Error("ridge must be positive, not {}.", ridge);
  const auto count = static_cast<double>(n);
  const Matrix low_low = low * low.transpose() / count;
  const Matrix high_low = high * low.transpose() / count;
  const double unit = low_low.trace() / static_cast<double>(low.rows());
  if (!(unit > 0.0)) throw Error("All training pairs are the same; nothing can be learnt.");
  const Contrast pairs = contrast(low, high, subjects);
  const Matrix smoothing = ridge * unit * Matrix::Identity(low.rows(), low.rows());
  const auto normal_matrix = [&](double g) -> Matrix {
    return low_low + smoothing + g * pairs.low_low;
  };
  double g = discrimination;
  while (g > 0.0) {
    if (symmetric_eigenvalues(normal_matrix(g))(0) > kSmallestEigenvalue * unit) break;
    g = g < kSmallestDiscrimination ? 0.0 : 0.5 * g;
  }
  const Matrix right = high_low + g * pairs.high_low;
  return {normal_matrix(g).ldlt().solve(right.transpose()).transpose(), g};
}

void VlrOptions::check() const {
  pairs.check();
  if (!(discrimination >= 0.0)) {
    throw Error("discrimination must be 0 or more, not {}.", discrimination);
  }
  if (!(ridge > 0.0)) throw Error("ridge must be positive, not {}.", ridge);
}

Vlr::Vlr(const VlrOptions& options, std::shared_ptr<Memo> memo)
    : options_(options), settings_(options), memo_(std::move(memo)) {
  options_.check();
}

void Vlr::learn(const TrainingSet& training) {
  check_has_people(training, name());
  settings_ = tuned<Vlr>(training, options_, candidates, std::make_shared<Memo>());
  TrainingPairOptions pair_options = settings_.pairs;
  pair_options.relit = settings_.extended;
  const auto make = [&] { return make_training_pairs(training, pair_options); };
  const std::shared_ptr<const TrainingPairs> pairs =
      memo_ ? memo_->get(training, 0, make) : std::make_shared<const TrainingPairs>(make());
  const Relationship relationship = learn_relationship(pairs->low, pairs->high, pairs->subjects,
                                                       settings_.discrimination, settings_.ridge);
  model_ = coupled_model(*pairs, relationship.map.transpose(),
                         Matrix::Identity(pairs->high.rows(), pairs->high.rows()));
  model_.metric = settings_.metric;
  model_.images = settings_.extended ? GalleryImages::kRelitHigh : GalleryImages::kPhotosHigh;
}

}  // namespace longshot
