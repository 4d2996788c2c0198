// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/fista.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "longshot/core/decompositions.h"
#include "longshot/core/error.h"
#include "longshot/core/parallel.h"

namespace longshot {
namespace {

constexpr Index kCheckEvery = 10;  // iterations; a gap costs as much as an iteration

// The largest eigenvalue of D' D, from the smaller of the two products.
double squared_spectral_norm(const MatrixRef& dictionary) {
  const bool wide = dictionary.cols() > dictionary.rows();
  const Matrix product = wide ? Matrix(dictionary * dictionary.transpose())
                              : Matrix(dictionary.transpose() * dictionary);
  return symmetric_eigenvalues(product).maxCoeff();
}

// The signals of one block. Columns that are done are exchanged with the last ones at work, so that
// the products shrink.
class Block {
 public:
  Block(const MatrixRef& dictionary, const MatrixRef& signals, double step,
        const FistaOptions& options)
      : dictionary_(dictionary),
        options_(options),
        step_(step),
        signals_(signals),
        codes_(Matrix::Zero(dictionary.cols(), signals.cols())),
        previous_(codes_),
        point_(codes_),
        gradient_(codes_),
        residual_(signals),
        momentum_(Vector::Ones(signals.cols())),
        active_(signals.cols()) {
    for (Index j = 0; j < signals.cols(); ++j) original_.push_back(j);
  }

  void solve(Index begin, FistaResult& result) {
    for (Index iteration = 1; active_ > 0; ++iteration) {
      step();
      const bool last = iteration == options_.max_iterations;
      if (iteration % kCheckEvery == 0 || last) retire(begin, iteration, last, result);
    }
  }

 private:
  void step() {
    auto residual = residual_.leftCols(active_);
    residual = signals_.leftCols(active_);
    residual.noalias() -= dictionary_ * point_.leftCols(active_);
    gradient_.leftCols(active_).noalias() = dictionary_.transpose() * residual;
    const double threshold = options_.mu * step_;
    for (Index j = 0; j < active_; ++j) {
      previous_.col(j).swap(codes_.col(j));
      const auto moved = (point_.col(j) + step_ * gradient_.col(j)).array();
      codes_.col(j) = (moved - threshold).max(0.0) + (moved + threshold).min(0.0);
      const bool uphill = (point_.col(j) - codes_.col(j)).dot(codes_.col(j) - previous_.col(j)) > 0;
      const double before = uphill ? 1.0 : momentum_(j);
      momentum_(j) = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * before * before));
      const double weight = uphill ? 0.0 : (before - 1.0) / momentum_(j);
      point_.col(j) = codes_.col(j) + weight * (codes_.col(j) - previous_.col(j));
    }
  }

  // A scaled residual is a point of the dual problem; the gap to it bounds the distance from the
  // optimum.
  void retire(Index begin, Index iteration, bool last, FistaResult& result) {
    auto residual = residual_.leftCols(active_);
    residual = signals_.leftCols(active_);
    residual.noalias() -= dictionary_ * codes_.leftCols(active_);
    gradient_.leftCols(active_).noalias() = dictionary_.transpose() * residual;
    for (Index j = active_ - 1; j >= 0; --j) {
      const double at_zero = 0.5 * signals_.col(j).squaredNorm();
      const double primal =
          0.5 * residual.col(j).squaredNorm() + options_.mu * codes_.col(j).lpNorm<1>();
      const double largest = gradient_.col(j).lpNorm<Eigen::Infinity>();
      const double scale = largest > options_.mu ? options_.mu / largest : 1.0;
      const double dual = at_zero - 0.5 * (signals_.col(j) - scale * residual.col(j)).squaredNorm();
      const double gap = at_zero > 0.0 ? (primal - dual) / at_zero : 0.0;
      const bool done = gap <= options_.tolerance;
      if (!done && !last) continue;
      const Index target = begin + original_[static_cast<std::size_t>(j)];
      result.codes.col(target) = codes_.col(j);
      result.gaps(target) = gap;
      result.iterations(target) = iteration;
      remove(j);
    }
  }

  void remove(Index j) {
    --active_;
    for (Matrix* columns : {&signals_, &codes_, &point_, &residual_, &gradient_}) {
      if (j != active_) columns->col(j) = columns->col(active_);
    }
    momentum_(j) = momentum_(active_);
    original_[static_cast<std::size_t>(j)] = original_[static_cast<std::size_t>(active_)];
  }

  const MatrixRef& dictionary_;
  const FistaOptions& options_;
  double step_;
  Matrix signals_;   // d x block
  Matrix codes_;     // K x block
  Matrix previous_;  // K x block: the codes before
  Matrix point_;     // K x block: where the gradient is taken
  Matrix gradient_;  // K x block: of the error, negative
  Matrix residual_;  // d x block
  Vector momentum_;  // block
  std::vector<Index> original_;
  Index active_;
};

}  // namespace

void FistaOptions::check() const {
  if (!(mu > 0.0)) throw Error("mu must be positive, not {}.", mu);
  if (!(tolerance > 0.0)) throw Error("tolerance must be positive, not {}.", tolerance);
  if (max_iterations < 1) throw Error("max_iterations must be at least 1, not {}.", max_iterations);
  if (block < 1) throw Error("block must be at least 1, not {}.", block);
}

FistaResult fista(const MatrixRef& dictionary, const MatrixRef& signals,
                  const FistaOptions& options) {
  options.check();
  if (dictionary.rows() != signals.rows() || dictionary.size() == 0) {
    throw Error("A dictionary of {} x {} cannot code signals of {} values.", dictionary.rows(),
                dictionary.cols(), signals.rows());
  }
  if (!dictionary.allFinite() || !signals.allFinite()) {
    throw Error("Dictionary or signals hold values that are not finite.");
  }
  const Index count = signals.cols();
  FistaResult result;
  result.codes = Matrix::Zero(dictionary.cols(), count);
  result.gaps = Vector::Zero(count);
  result.iterations.setZero(count);
  const double lipschitz = squared_spectral_norm(dictionary);
  if (!(lipschitz > 0.0)) return result;
  parallel_blocks(count, options.block, [&](Index begin, Index end) {
    Block(dictionary, signals.middleCols(begin, end - begin), 1.0 / lipschitz, options)
        .solve(begin, result);
  });
  result.unfinished = (result.gaps.array() > options.tolerance).count();
  return result;
}

}  // namespace longshot
