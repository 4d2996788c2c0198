// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/nearest.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/recognize/matrix_searcher.h"

namespace longshot {
namespace {

// The distance of a probe without content: beyond that of any face, yet finite, so that statistics
// over many probes stay so.
constexpr double kFarthestEuclidean = 1e6;
constexpr double kFarthestCosine = 2.0;

// A zero column stays zero.
void normalise_in_place(Matrix& columns) {
  for (auto column : columns.colwise()) {
    const double norm = column.norm();
    if (norm > 0.0) column /= norm;
  }
}

class NearestSearcher final : public MatrixSearcher {
 public:
  NearestSearcher(FeatureSpace probe, NearestMetric metric)
      : MatrixSearcher({"samples"}), probe_(std::move(probe)), metric_(metric) {}

  Index people() const override { return static_cast<Index>(people_.size()); }

  Matrix distances(const MatrixRef& probes) const override {
    check_probes(probes, probe_.pixels(), people());
    Matrix features = probe_.features(probes);
    if (metric_ == NearestMetric::kCosine) normalise_in_place(features);
    const Eigen::RowVectorXd energies = features.colwise().squaredNorm();
    Matrix result(people(), probes.cols());
    // One product per person, so that a distance has the same bits whoever else is enrolled.
    parallel_for(people(), [&](Index i) {
      const auto person = static_cast<std::size_t>(i);
      Matrix products = people_[person].transpose() * features;
      if (metric_ == NearestMetric::kCosine) {
        result.row(i) = 1.0 - products.colwise().maxCoeff().array();
      } else {
        products = (-2.0 * products).colwise() + squared_norms_[person];
        result.row(i) = products.colwise().minCoeff() + energies;
      }
    });
    const double farthest =
        metric_ == NearestMetric::kCosine ? kFarthestCosine : kFarthestEuclidean;
    // Products leave equal images at a distance that rounding may put below zero.
    result = result.cwiseMax(0.0).cwiseMin(farthest).eval();
    for (Index j = 0; j < result.cols(); ++j) {
      if (!(energies(j) > 0.0)) result.col(j).setConstant(farthest);
    }
    return result;
  }

 private:
  void check(const Template& person) const override {
    const Matrix& samples = person.part("samples");
    if (samples.rows() != probe_.dimensions() || samples.cols() == 0 || !samples.allFinite()) {
      refuse_template();
    }
  }
  void add_checked(const Template& person) override {
    Matrix samples = person.part("samples");
    if (metric_ == NearestMetric::kCosine) normalise_in_place(samples);
    squared_norms_.emplace_back(samples.colwise().squaredNorm());
    people_.push_back(std::move(samples));
  }

  FeatureSpace probe_;
  NearestMetric metric_;
  std::vector<Matrix> people_;         // d x m each
  std::vector<Vector> squared_norms_;  // m each
};

const Matrix& chosen_images(const PersonImages& person, GalleryImages images) {
  switch (images) {
    case GalleryImages::kPhotosLow:
      return person.photos_low;
    case GalleryImages::kRelitLow:
      return person.relit_low;
    case GalleryImages::kPhotosHigh:
      return person.photos_high;
    case GalleryImages::kRelitHigh:
      return person.relit_high;
  }
  return person.photos_low;
}

}  // namespace

std::unique_ptr<Searcher> make_nearest_searcher(const FeatureSpace& probe, NearestMetric metric) {
  return std::make_unique<NearestSearcher>(probe, metric);
}

Template NearestRecognizer::enrol(const PersonImages& person) const {
  const Matrix& images = chosen_images(person, model_.images);
  if (images.cols() == 0) throw Error("There is no image to enrol.");
  const Matrix features = model_.gallery.features(images);
  std::vector<Index> usable;
  for (Index j = 0; j < features.cols(); ++j) {
    if (!features.col(j).isZero(0.0)) usable.push_back(j);
  }
  if (usable.empty()) throw Error("The photo to enrol shows nothing: it is all black.");
  return {{{"samples", features(Eigen::all, usable)}}};
}

std::unique_ptr<Searcher> NearestRecognizer::make_searcher() const {
  return make_nearest_searcher(model_.probe, model_.metric);
}

ModelState NearestRecognizer::state() const {
  ModelState state;
  state.set_space("probe", model_.probe);
  state.set_space("gallery", model_.gallery);
  state.set_number("metric", static_cast<double>(model_.metric));
  state.set_number("images", static_cast<double>(model_.images));
  return state;
}

void NearestRecognizer::restore(const ModelState& state) {
  NearestModel model;
  model.probe = state.space("probe");
  model.gallery = state.space("gallery");
  model.metric = static_cast<NearestMetric>(
      state.count("metric", 0, static_cast<Index>(NearestMetric::kCosine)));
  model.images = static_cast<GalleryImages>(
      state.count("images", 0, static_cast<Index>(GalleryImages::kRelitHigh)));
  if (model.probe.dimensions() != model.gallery.dimensions()) {
    throw Error(ErrorKind::damaged,
                "The model is damaged: probes have {} features, gallery images {}.",
                model.probe.dimensions(), model.gallery.dimensions());
  }
  model_ = std::move(model);
}

void check_has_people(const TrainingSet& training, std::string_view method) {
  training.check();
  const auto differs = [&](int subject) { return subject != training.subjects.front(); };
  if (!std::any_of(training.subjects.begin(), training.subjects.end(), differs)) {
    throw Error(
        "{} needs a training set with photos of at least two people who are not enrolled; give "
        "one, or use pca-ext or slrfr, which work without.",
        method);
  }
}

}  // namespace longshot
