// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/s2r2.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/feature/photometric.h"
#include "longshot/recognize/matrix_searcher.h"
#include "longshot/recognize/tune.h"

namespace longshot {
namespace {

constexpr Index kMeasures = S2r2System::kMeasures;
constexpr double kUnusable = 1e6;  // distance of a probe without content

// High-resolution images scaled so that they are of unit norm at the low resolution.
Matrix scaled_like_probes(const MatrixRef& high, const MatrixRef& low) {
  if (!high.allFinite() || !low.allFinite()) {
    throw Error("An image holds values that are not finite numbers.");
  }
  Matrix scaled = high;
  for (Index j = 0; j < scaled.cols(); ++j) {
    const double norm = low.col(j).norm();
    if (!(norm > 0.0)) throw Error("An image to enrol or learn from is black.");
    scaled.col(j) /= norm;
  }
  return scaled;
}

// y'P y for every measure and probe, 3 x n.
Matrix probe_energies(const S2r2System& system, const Matrix& probes) {
  Matrix energies(kMeasures, probes.cols());
  for (Index t = 0; t < kMeasures; ++t) {
    energies.row(t) =
        probes.cwiseProduct(system.probe[static_cast<std::size_t>(t)] * probes).colwise().sum();
  }
  return energies;
}

class S2r2Searcher final : public MatrixSearcher {
 public:
  S2r2Searcher(std::shared_ptr<const S2r2System> system, const Eigen::Vector3d& weights)
      : MatrixSearcher({"linear", "constant"}), system_(std::move(system)), weights_(weights) {}

  Index people() const override { return static_cast<Index>(people_.size()); }

  Matrix distances(const MatrixRef& probes) const override {
    check_probes(probes, pixels(), people());
    const Matrix unit = normalise_columns(probes, Normalisation::kUnitNorm);
    const Matrix energies = probe_energies(*system_, unit);
    Matrix result(people(), probes.cols());
    parallel_for(people(), [&](Index i) {
      const Matrix& linear = people_[static_cast<std::size_t>(i)].part("linear");
      const Matrix& constant = people_[static_cast<std::size_t>(i)].part("constant");
      const Matrix products = 2.0 * linear.transpose() * unit;  // 3m x n
      Eigen::RowVectorXd nearest = Eigen::RowVectorXd::Constant(probes.cols(), kUnusable);
      for (Index s = 0; s < constant.cols(); ++s) {
        const Matrix squared =
            (products.middleRows(kMeasures * s, kMeasures) + energies).colwise() + constant.col(s);
        nearest = nearest.cwiseMin(weights_.transpose() * squared.cwiseMax(0.0).cwiseSqrt());
      }
      result.row(i) = nearest;
    });
    for (Index j = 0; j < result.cols(); ++j) {
      if (unit.col(j).isZero(0.0)) result.col(j).setConstant(kUnusable);
    }
    return result;
  }

 private:
  void check(const Template& person) const override {
    const Matrix& linear = person.part("linear");
    const Matrix& constant = person.part("constant");
    if (linear.rows() != pixels() || constant.rows() != kMeasures || constant.cols() == 0 ||
        linear.cols() != kMeasures * constant.cols()) {
      refuse_template();
    }
  }
  void add_checked(const Template& person) override { people_.push_back(person); }

  Index pixels() const { return system_->probe[0].rows(); }

  std::shared_ptr<const S2r2System> system_;
  Eigen::Vector3d weights_;
  std::vector<Template> people_;
};

// First and second moments of one kind of pairs.
struct Moments {
  double count = 0.0;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  Eigen::Matrix3d squares = Eigen::Matrix3d::Zero();

  void add(const Eigen::Vector3d& value) {
    count += 1.0;
    sum += value;
    squares += value * value.transpose();
  }
  Eigen::Vector3d mean() const { return sum / count; }
  Eigen::Matrix3d covariance() const { return squares / count - mean() * mean().transpose(); }
};

// Fisher's discriminant between photos of the same and of different people.
Eigen::Vector3d discriminant(const S2r2System& system, const Matrix& probes, const Matrix& features,
                             const TrainingSet& training) {
  std::vector<Index> gallery = training.gallery_like;
  if (gallery.empty()) {
    gallery.resize(static_cast<std::size_t>(training.size()));
    std::iota(gallery.begin(), gallery.end(), 0);
  }
  const Matrix energies = probe_energies(system, probes);
  Moments genuine;
  Moments impostor;
  for (const Index g : gallery) {
    Matrix squared = energies;
    for (Index t = 0; t < kMeasures; ++t) {
      const auto k = static_cast<std::size_t>(t);
      const Vector linear = 2.0 * system.cross[k] * features.col(g);
      squared.row(t) += linear.transpose() * probes;
      squared.row(t).array() += features.col(g).dot(system.gallery[k] * features.col(g));
    }
    const Matrix measures = squared.cwiseMax(0.0).cwiseSqrt();
    for (Index j = 0; j < probes.cols(); ++j) {
      if (j == g) continue;
      const bool same = training.subjects[static_cast<std::size_t>(j)] ==
                        training.subjects[static_cast<std::size_t>(g)];
      (same ? genuine : impostor).add(measures.col(j));
    }
  }
  if (genuine.count < 2.0 || impostor.count < 2.0) return Eigen::Vector3d::Ones();
  Eigen::Matrix3d within = genuine.covariance() + impostor.covariance();
  within.diagonal().array() += 1e-6 * within.trace();
  const Eigen::Vector3d weights = within.inverse() * (impostor.mean() - genuine.mean());
  if (!weights.allFinite() || weights.isZero(0.0)) return Eigen::Vector3d::Ones();
  return weights.normalized();
}

std::vector<S2r2Options> candidates(const S2r2Options& base) {
  std::vector<S2r2Options> list;
  for (const double alpha : {0.1, 0.03}) {
    for (const double beta : {0.5, 1.0, 0.1}) {
      list.push_back(base);
      list.back().tune = false;
      list.back().alpha = alpha;
      list.back().beta = beta;
    }
  }
  return list;
}

std::string entry(const char* kind, std::size_t measure) {
  return std::string(kind) + "." + std::to_string(measure + 1);
}

}  // namespace

void S2r2Options::check() const {
  features.check();
  if (!(alpha > 0.0)) throw Error("alpha must be positive, not {}.", alpha);
  if (!(beta > 0.0)) throw Error("beta must be positive, not {}.", beta);
}

S2r2::S2r2(const S2r2Options& options) : options_(options), settings_(options) {
  options_.check();
}

void S2r2::learn(const TrainingSet& training) {
  training.check();
  if (training.size() < 2) throw Error("The method s2r2 needs training people to learn from.");
  settings_ = tuned<S2r2>(training, options_, candidates);
  const FaceGeometry& geometry = training.extender->geometry();
  const Matrix low = training.photos_low();
  const Matrix high = scaled_like_probes(training.photos_high, low);
  const Pca pca = learn_pca(high, settings_.features);
  if (pca.dimensions() == 0) {
    throw Error("All training images are the same; nothing can be learnt.");
  }
  extraction_ = pca.basis.transpose();
  const Index pixels = geometry.high.pixels();
  const Matrix degradation =
      Degrader(geometry.op, geometry.high, geometry.low, geometry.registration)
          .apply_columns(Matrix::Identity(pixels, pixels));
  system_ = std::make_shared<const S2r2System>(
      make_s2r2_system(degradation, geometry.high, extraction_, settings_.alpha, settings_.beta));
  weights_ = discriminant(*system_, normalise_columns(low, Normalisation::kUnitNorm),
                          extraction_ * high, training);
}

Template S2r2::enrol(const PersonImages& person) const {
  const Matrix& high = settings_.relit ? person.relit_high : person.photos_high;
  const Matrix& low = settings_.relit ? person.relit_low : person.photos_low;
  if (high.cols() == 0) throw Error("There is no image to enrol.");
  if (high.rows() != extraction_.cols() || low.rows() != system_->probe[0].rows() ||
      low.cols() != high.cols()) {
    throw Error("The images to enrol are not of the sizes that the model was learnt for.");
  }
  const Matrix features = extraction_ * scaled_like_probes(high, low);
  Matrix linear(low.rows(), kMeasures * features.cols());
  Matrix constant(kMeasures, features.cols());
  for (Index t = 0; t < kMeasures; ++t) {
    const auto k = static_cast<std::size_t>(t);
    const Matrix products = system_->cross[k] * features;
    for (Index s = 0; s < features.cols(); ++s) linear.col(kMeasures * s + t) = products.col(s);
    constant.row(t) = features.cwiseProduct(system_->gallery[k] * features).colwise().sum();
  }
  return {{{"linear", std::move(linear)}, {"constant", std::move(constant)}}};
}

std::unique_ptr<Searcher> S2r2::make_searcher() const {
  return std::make_unique<S2r2Searcher>(system_, weights_);
}

ModelState S2r2::state() const {
  ModelState state;
  state.set("extraction", extraction_);
  for (std::size_t t = 0; t < S2r2System::kMeasures; ++t) {
    state.set(entry("probe", t), system_->probe[t]);
    state.set(entry("cross", t), system_->cross[t]);
    state.set(entry("gallery", t), system_->gallery[t]);
  }
  state.set("weights", weights_);
  return state;
}

void S2r2::restore(const ModelState& state) {
  S2r2System system;
  const Matrix& extraction = state.matrix("extraction");
  for (std::size_t t = 0; t < S2r2System::kMeasures; ++t) {
    system.probe[t] = state.matrix(entry("probe", t));
    system.cross[t] = state.matrix(entry("cross", t));
    system.gallery[t] = state.matrix(entry("gallery", t));
    const Index low = system.probe[0].rows();
    if (low == 0 || system.probe[t].rows() != low || system.probe[t].cols() != low ||
        system.cross[t].rows() != low || system.cross[t].cols() != extraction.rows() ||
        system.gallery[t].rows() != extraction.rows() ||
        system.gallery[t].cols() != extraction.rows()) {
      throw Error(ErrorKind::damaged, "The model is damaged: its matrices do not fit each other.");
    }
  }
  const Matrix& weights = state.matrix("weights");
  if (weights.rows() != kMeasures || weights.cols() != 1) {
    throw Error(ErrorKind::damaged,
                "The model is damaged: \"weights\" is not a vector of {} values.", kMeasures);
  }
  extraction_ = extraction;
  system_ = std::make_shared<const S2r2System>(std::move(system));
  weights_ = weights.col(0);
}

}  // namespace longshot
