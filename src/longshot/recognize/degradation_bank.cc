// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/degradation_bank.h"

#include <cmath>
#include <utility>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "longshot/core/error.h"
#include "longshot/core/interrupt.h"
#include "longshot/feature/photometric.h"
#include "longshot/recognize/face_statistics.h"
#include "longshot/recognize/whitening.h"

namespace longshot {
namespace {

// Even clean probes are rounded to whole grey levels, and faces differ from those learnt from.
constexpr double kLeastNoise = 0.01;
// What another degradation must be better by than the gallery's own to be believed, in nats, when
// the statistics are exact.
constexpr double kDoubt = 3.0;
// Degrees of freedom of the likelihood: some faces are far from all that were learnt from.
constexpr double kFreedom = 10.0;
// How much noisier than its camera a probe must be to be searched with other noise in mind.
constexpr double kMoreNoise = 2.0;
// Registration error to expect, in widths of the crop.
constexpr double kMoved = 0.02;
// Noise that a restoration expects, in units of the mean intensity.
constexpr double kRestorationNoise = 0.01;

// A covariance of N pixels that was learnt from n photos is uncertain by N/n in each direction.
double doubt_of(Index pixels, Index photos) {
  return kDoubt + 0.5 * static_cast<double>(pixels * pixels) / static_cast<double>(photos);
}

// W with W y = x for pairs in columns, |W Y - X|^2 + noise |W|^2 least.
Matrix restoration_map(const MatrixRef& x, const MatrixRef& y, double noise) {
  Matrix gram = y * y.transpose();
  gram.diagonal().array() += noise * noise * static_cast<double>(y.cols());
  return gram.llt().solve(y * x.transpose()).transpose();
}

Matrix at_unit_mean(Matrix images) {
  for (auto image : images.colwise()) {
    const double mean = image.mean();
    if (mean > 0.0) image /= mean;
  }
  return images;
}

std::string entry_name(Index i, const char* part) {
  return fmt::format("bank{}.{}", i, part);
}

}  // namespace

std::vector<Degradation> usual_degradations(const FaceGeometry& geometry) {
  const bool learnt = geometry.noise > 0.0;
  std::vector<Degradation> list = {{geometry.op, geometry.noise, 0}};
  if (!learnt) {
    for (const double blur : {0.0, 0.3, 0.55, 0.8, 1.1}) {
      list.push_back({{OperatorKind::kGauss, blur}, 0.0, 0});
    }
    list.push_back({geometry.op, 0.04, 0});
  }
  for (const Degradation& noisy :
       {Degradation{geometry.op, 0.1, 1}, {geometry.op, 0.2, 2}, {geometry.op, 0.4, 2}}) {
    if (noisy.noise > kMoreNoise * geometry.noise) list.push_back(noisy);
  }
  return list;
}

DegradationBank DegradationBank::learn(const TrainingSet& training,
                                       const std::vector<Degradation>& degradations) {
  const FaceGeometry& geometry = training.extender->geometry();
  const Matrix photos = representative_photos(training);
  const Matrix matched = at_unit_mean(training.extender->degrade(photos));
  const Matrix moved =
      registration_covariance(photos, *training.extender, Normalisation::kUnitNorm, kMoved);
  DegradationBank bank;
  bank.doubt_ = doubt_of(geometry.low.pixels(), photos.cols());
  for (const Degradation& degradation : degradations) {
    look_for_interrupt();
    Entry entry;
    entry.degradation = degradation;
    const bool own = degradation.op == geometry.op;
    Matrix seen = matched;
    if (!own) {
      seen = at_unit_mean(seen_by_camera(photos, geometry, degradation.op));
      entry.restoration = restoration_map(matched, seen, kRestorationNoise);
    }
    const Matrix directions = normalise_columns(seen, Normalisation::kUnitNorm);
    entry.mean = directions.rowwise().mean();
    const Matrix away = directions.colwise() - entry.mean;
    Matrix covariance = away * away.transpose() / static_cast<double>(away.cols());
    covariance +=
        noise_covariance(seen, Normalisation::kUnitNorm, std::max(degradation.noise, kLeastNoise));
    covariance += moved;
    // Unit norm leaves no variance along the mean.
    covariance += 1e-9 * covariance.trace() * Matrix::Identity(away.rows(), away.rows());
    const Eigen::LLT<Matrix> cholesky(covariance);
    entry.whitener = cholesky.matrixL().solve(Matrix::Identity(away.rows(), away.rows()));
    entry.log_volume = -entry.whitener.diagonal().array().log().sum();
    bank.entries_.push_back(std::move(entry));
  }
  return bank;
}

Matrix DegradationBank::log_likelihoods(const MatrixRef& probes) const {
  const Matrix directions = normalise_columns(probes, Normalisation::kUnitNorm);
  Matrix result(size(), probes.cols());
  for (Index i = 0; i < size(); ++i) {
    const Entry& entry = entries_[static_cast<std::size_t>(i)];
    const Matrix standard = entry.whitener * (directions.colwise() - entry.mean);
    result.row(i) = -0.5 * (kFreedom + static_cast<double>(probes.rows())) *
                        (standard.colwise().squaredNorm().array() / kFreedom + 1.0).log() -
                    entry.log_volume;
  }
  return result;
}

std::vector<Index> DegradationBank::choose_each(const MatrixRef& probes) const {
  Matrix likelihoods = log_likelihoods(probes);
  likelihoods.row(0).array() += doubt_;
  std::vector<Index> chosen(static_cast<std::size_t>(probes.cols()));
  for (Index j = 0; j < probes.cols(); ++j) {
    likelihoods.col(j).maxCoeff(&chosen[static_cast<std::size_t>(j)]);
  }
  return chosen;
}

Index DegradationBank::choose_for_all(const MatrixRef& probes) const {
  Vector sums = log_likelihoods(probes).rowwise().sum();
  sums(0) += doubt_;
  Index chosen = 0;
  sums.maxCoeff(&chosen);
  return chosen;
}

Matrix DegradationBank::restored(const MatrixRef& probes, Index degradation) const {
  const Entry& entry = entries_[static_cast<std::size_t>(degradation)];
  if (entry.restoration.size() == 0) return probes;
  return (entry.restoration * probes).cwiseMax(0.0);
}

void DegradationBank::save(ModelState& state) const {
  state.set_number("bank", static_cast<double>(size()));
  state.set_number("bank.doubt", doubt_);
  for (Index i = 0; i < size(); ++i) {
    const Entry& entry = entries_[static_cast<std::size_t>(i)];
    Matrix numbers(5, 1);
    numbers << static_cast<double>(entry.degradation.op.kind), entry.degradation.op.blur_factor,
        entry.degradation.noise, static_cast<double>(entry.degradation.member), entry.log_volume;
    state.set(entry_name(i, "degradation"), numbers);
    state.set(entry_name(i, "mean"), entry.mean);
    state.set(entry_name(i, "whitener"), entry.whitener);
    state.set(entry_name(i, "restoration"), entry.restoration);
  }
}

DegradationBank DegradationBank::load(const ModelState& state) {
  DegradationBank bank;
  const Index entries = state.count("bank", 0, 1000);
  bank.doubt_ = state.number("bank.doubt");
  for (Index i = 0; i < entries; ++i) {
    Entry entry;
    const Matrix& numbers = state.matrix(entry_name(i, "degradation"));
    entry.mean = state.matrix(entry_name(i, "mean"));
    entry.whitener = state.matrix(entry_name(i, "whitener"));
    entry.restoration = state.matrix(entry_name(i, "restoration"));
    const Index n = entry.mean.size();
    if (numbers.size() != 5 || entry.whitener.rows() != n || entry.whitener.cols() != n ||
        (entry.restoration.size() != 0 && entry.restoration.size() != n * n) ||
        !(numbers(3) >= 0.0 && numbers(3) <= 2.0) || !(numbers(0) >= 0.0 && numbers(0) <= 2.0)) {
      throw Error(ErrorKind::damaged,
                  "The model is damaged: its bank of degradations does not fit together.");
    }
    entry.degradation.op.kind = static_cast<OperatorKind>(static_cast<int>(numbers(0)));
    entry.degradation.op.blur_factor = numbers(1);
    entry.degradation.noise = numbers(2);
    entry.degradation.member = static_cast<Index>(numbers(3));
    entry.log_volume = numbers(4);
    bank.entries_.push_back(std::move(entry));
  }
  return bank;
}

}  // namespace longshot
