// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/crc.h"

#include <vector>

#include <Eigen/Cholesky>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/recognize/baseline/coding_gallery.h"
#include "longshot/recognize/tune.h"

namespace longshot {
namespace {

// A person without any share of the code is as far as can be, but not infinitely.
constexpr double kLeastShare = 1e-12;

class CrcSearcher final : public MatrixSearcher {
 public:
  CrcSearcher(const FeatureSpace& space, double lambda)
      : MatrixSearcher({"samples"}),
        gallery_(space),
        scatter_(lambda * Matrix::Identity(space.dimensions(), space.dimensions())) {}

  Index people() const override { return gallery_.people(); }

  Matrix distances(const MatrixRef& probes) const override {
    const Matrix features = gallery_.unit_features(probes);
    const Matrix dictionary = gallery_.dictionary();
    // D' (D D' + lambda I)^-1 is the same projector from the smaller system.
    const Matrix dual = scatter_.llt().solve(features);
    Matrix result(people(), probes.cols());
    parallel_for(people(), [&](Index i) {
      const auto own = dictionary.middleCols(gallery_.first(i), gallery_.count(i));
      const Matrix code = own.transpose() * dual;
      const Matrix rest = features - own * code;
      result.row(i) =
          rest.colwise().norm().cwiseQuotient(code.colwise().norm().cwiseMax(kLeastShare));
    });
    for (Index j = 0; j < result.cols(); ++j) {
      if (features.col(j).isZero(0.0)) result.col(j).setConstant(1.0 / kLeastShare);
    }
    return result;
  }

 private:
  void check(const Template& person) const override { gallery_.check(person); }
  void add_checked(const Template& person) override {
    gallery_.add(person);
    const Matrix& samples = person.part("samples");
    scatter_.noalias() += samples * samples.transpose();
  }

  CodingGallery gallery_;
  Matrix scatter_;  // D D' + lambda I, d x d
};

std::vector<CrcOptions> candidates(const CrcOptions& base) {
  std::vector<CrcOptions> list;
  for (const double lambda : {0.01, 0.003, 0.03, 0.001, 0.1}) {
    list.push_back(base);
    list.back().tune = false;
    list.back().lambda = lambda;
  }
  return list;
}

}  // namespace

void CrcOptions::check() const {
  feature.check();
  if (!(lambda > 0.0)) throw Error("lambda must be positive, not {}.", lambda);
}

Crc::Crc(const CrcOptions& options) : options_(options), settings_(options) {
  options_.check();
}

void Crc::learn(const TrainingSet& training) {
  training.check();
  settings_ = tuned<Crc>(training, options_, candidates);
  space_ = FeatureSpace::learn(training.photos_low(), settings_.feature);
}

Template Crc::enrol(const PersonImages& person) const {
  return CodingGallery::make_template(space_, person);
}

std::unique_ptr<Searcher> Crc::make_searcher() const {
  return std::make_unique<CrcSearcher>(space_, settings_.lambda);
}

ModelState Crc::state() const {
  ModelState state;
  state.set_space("low", space_);
  state.set_number("lambda", settings_.lambda);
  return state;
}

void Crc::restore(const ModelState& state) {
  space_ = state.space("low");
  settings_.lambda = state.number("lambda");
  settings_.check();
}

}  // namespace longshot
