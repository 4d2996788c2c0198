// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/embedding.h"

#include <utility>
#include <vector>

#include "longshot/core/error.h"
#include "longshot/recognize/matrix_searcher.h"

namespace longshot {
namespace {

constexpr double kFarthest = 2.0;

class EmbeddingSearcher final : public MatrixSearcher {
 public:
  EmbeddingSearcher(std::shared_ptr<const FaceNetwork> network, const FaceFrame& frame, Size low)
      : MatrixSearcher({"vectors"}), network_(std::move(network)), frame_(frame), low_(low) {}

  Index people() const override { return static_cast<Index>(people_.size()); }

  Matrix distances(const MatrixRef& probes) const override {
    check_probes(probes, low_.pixels(), people());
    const Matrix vectors = network_->embed(probes, frame_, low_);
    Matrix result(people(), probes.cols());
    for (Index i = 0; i < people(); ++i) {
      const Matrix cosines = people_[static_cast<std::size_t>(i)].transpose() * vectors;
      result.row(i) = 1.0 - cosines.colwise().maxCoeff().array();
    }
    for (Index j = 0; j < result.cols(); ++j) {
      if (probes.col(j).isZero(0.0)) result.col(j).setConstant(kFarthest);
    }
    return result;
  }

 private:
  void check(const Template& person) const override {
    const Matrix& vectors = person.part("vectors");
    if (vectors.rows() != network_->dimensions() || vectors.cols() == 0) refuse_template();
  }
  void add_checked(const Template& person) override { people_.push_back(person.part("vectors")); }

  std::shared_ptr<const FaceNetwork> network_;
  FaceFrame frame_;
  Size low_;
  std::vector<Matrix> people_;  // k x p each
};

}  // namespace

void EmbeddingOptions::check() const {
  if (network.empty()) {
    throw Error("The method embedding needs the ONNX file of a face network.");
  }
}

Embedding::Embedding(const EmbeddingOptions& options) : options_(options) {
  options_.check();
  network_ = std::make_shared<const FaceNetwork>(options_.network);
}

void Embedding::learn(const TrainingSet& training) {
  training.check();
  frame_ = training.extender->geometry().frame;
  high_ = training.extender->geometry().high;
  low_ = training.extender->geometry().low;
}

Template Embedding::enrol(const PersonImages& person) const {
  const Matrix& photos = options_.degraded ? person.photos_low : person.photos_high;
  const Size size = options_.degraded ? low_ : high_;
  if (photos.cols() == 0) throw Error("There is no image to enrol.");
  if (photos.rows() != size.pixels()) {
    throw Error("The images to enrol are not of the sizes that the model was learnt for.");
  }
  if (!photos.allFinite()) throw Error("An image holds values that are not finite numbers.");
  return {{{"vectors", network_->embed(photos, frame_, size)}}};
}

std::unique_ptr<Searcher> Embedding::make_searcher() const {
  return std::make_unique<EmbeddingSearcher>(network_, frame_, low_);
}

ModelState Embedding::state() const {
  ModelState state;
  Vector frame(5);
  frame << frame_.eyes.left.x, frame_.eyes.left.y, frame_.eyes.right.x, frame_.eyes.right.y,
      frame_.aspect;
  state.set("frame", frame);
  state.set_number("high.rows", static_cast<double>(high_.rows));
  state.set_number("high.cols", static_cast<double>(high_.cols));
  state.set_number("low.rows", static_cast<double>(low_.rows));
  state.set_number("low.cols", static_cast<double>(low_.cols));
  return state;
}

void Embedding::restore(const ModelState& state) {
  const Matrix& values = state.matrix("frame");
  if (values.rows() != 5 || values.cols() != 1) {
    throw Error(ErrorKind::damaged, "The model is damaged: \"frame\" is not a vector of 5 values.");
  }
  FaceFrame frame;
  frame.eyes = {{values(0), values(1)}, {values(2), values(3)}};
  frame.aspect = values(4);
  frame.check();
  frame_ = frame;
  high_ = {state.count("high.rows", 1, kLargestImageSide),
           state.count("high.cols", 1, kLargestImageSide)};
  low_ = {state.count("low.rows", 1, kLargestImageSide),
          state.count("low.cols", 1, kLargestImageSide)};
}

}  // namespace longshot
