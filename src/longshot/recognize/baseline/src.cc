// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/src.h"

#include <vector>

#include "longshot/core/parallel.h"
#include "longshot/recognize/baseline/coding_gallery.h"
#include "longshot/recognize/tune.h"

namespace longshot {
namespace {

class SrcSearcher final : public MatrixSearcher {
 public:
  SrcSearcher(const FeatureSpace& space, const FistaOptions& coding)
      : MatrixSearcher({"samples"}), gallery_(space), coding_(coding) {}

  Index people() const override { return gallery_.people(); }

  Matrix distances(const MatrixRef& probes) const override {
    const Matrix features = gallery_.unit_features(probes);
    const Matrix dictionary = gallery_.dictionary();
    const Matrix codes = fista(dictionary, features, coding_).codes;
    Matrix result(people(), probes.cols());
    parallel_for(people(), [&](Index i) {
      const auto own = dictionary.middleCols(gallery_.first(i), gallery_.count(i));
      const Matrix rest = features - own * codes.middleRows(gallery_.first(i), gallery_.count(i));
      result.row(i) = rest.colwise().norm();
    });
    for (Index j = 0; j < result.cols(); ++j) {
      if (features.col(j).isZero(0.0)) result.col(j).setOnes();
    }
    return result;
  }

 private:
  void check(const Template& person) const override { gallery_.check(person); }
  void add_checked(const Template& person) override { gallery_.add(person); }

  CodingGallery gallery_;
  FistaOptions coding_;
};

std::vector<SrcOptions> candidates(const SrcOptions& base) {
  std::vector<SrcOptions> list;
  for (const double mu : {0.03, 0.1, 0.01}) {
    list.push_back(base);
    list.back().tune = false;
    list.back().coding.mu = mu;
  }
  return list;
}

}  // namespace

void SrcOptions::check() const {
  feature.check();
  coding.check();
}

Src::Src(const SrcOptions& options) : options_(options), settings_(options) {
  options_.check();
}

void Src::learn(const TrainingSet& training) {
  training.check();
  settings_ = tuned<Src>(training, options_, candidates);
  space_ = FeatureSpace::learn(training.photos_low(), settings_.feature);
}

Template Src::enrol(const PersonImages& person) const {
  return CodingGallery::make_template(space_, person);
}

std::unique_ptr<Searcher> Src::make_searcher() const {
  return std::make_unique<SrcSearcher>(space_, settings_.coding);
}

ModelState Src::state() const {
  ModelState state;
  state.set_space("low", space_);
  state.set_number("mu", settings_.coding.mu);
  return state;
}

void Src::restore(const ModelState& state) {
  space_ = state.space("low");
  settings_.coding.mu = state.number("mu");
  settings_.check();
}

}  // namespace longshot
