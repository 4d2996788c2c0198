// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/slrfr.h"

#include <utility>
#include <vector>

#include "longshot/core/error.h"
#include "longshot/recognize/block_searcher.h"
#include "longshot/recognize/tune.h"
#include "longshot/search/subspace_block.h"
#include "longshot/sparse/subspace.h"

namespace longshot {
namespace {

class SubspaceSearcher final : public BlockSearcher<SubspaceBlock, SubspaceRows> {
 public:
  explicit SubspaceSearcher(const FeatureSpace& space)
      : BlockSearcher(space, SubspaceBlock(space.dimensions())) {}

  std::unique_ptr<Searcher> copy() const override {
    return std::make_unique<SubspaceSearcher>(*this);
  }

 private:
  SubspaceRows read(StoredTemplate stored) const override {
    StoredParts parts(stored, 2);
    const MatrixView basis = parts.next("basis", space().dimensions());
    return {basis, parts.next("mean", space().dimensions(), 1)};
  }
};

// Ordered by preference: features that keep the mean, then fewer atoms.
std::vector<SlrfrOptions> candidates(const SlrfrOptions& base) {
  std::vector<SlrfrOptions> list;
  for (const bool centre : {false, true}) {
    for (const Index atoms : {7, 9, 12, 15}) {
      for (const Index sparsity : {3, 5}) {
        SlrfrOptions candidate = base;
        candidate.tune = false;
        candidate.feature.centre = centre;
        candidate.dictionary.atoms = atoms;
        candidate.dictionary.sparsity = sparsity;
        list.push_back(candidate);
        if (base.kind != SubspaceKind::kDictionary) break;
      }
    }
    // Whitened features have no choice of centring.
    if (base.whitening) break;
  }
  return list;
}

}  // namespace

void SlrfrOptions::check() const {
  feature.check();
  if (whitening) whitening->check();
  dictionary.check();
}

Slrfr::Slrfr(const SlrfrOptions& options) : options_(options), settings_(options) {
  options_.check();
}

std::string Slrfr::name() const {
  switch (settings_.kind) {
    case SubspaceKind::kDictionary:
      return "slrfr";
    case SubspaceKind::kSvd:
      return "subspace";
    case SubspaceKind::kAffine:
      return "affine";
  }
  return "slrfr";
}

void Slrfr::learn(const TrainingSet& training) {
  training.check();
  settings_ = tuned<Slrfr>(training, options_, candidates);
  space_ = settings_.whitening ? learn_whitened_space(training, *settings_.whitening)
                               : FeatureSpace::learn(training.photos_low(), settings_.feature);
  if (settings_.dictionary.atoms >= space_.dimensions()) {
    throw Error(
        "{} atoms cannot tell people apart in {} dimensions, where every residual would be zero; "
        "use fewer atoms or a larger size.",
        settings_.dictionary.atoms, space_.dimensions());
  }
}

Template Slrfr::enrol(const PersonImages& person) const {
  if (person.relit_low.cols() == 0) throw Error("There is no image to enrol.");
  Matrix samples = space_.features(person.relit_low);
  Matrix mean = Matrix::Zero(space_.dimensions(), 1);
  if (settings_.kind == SubspaceKind::kAffine && samples.cols() > 1) {
    mean = samples.rowwise().mean();
    samples.colwise() -= mean.col(0);
  }
  if (settings_.kind == SubspaceKind::kDictionary) {
    return {{{"basis", orthonormal_basis(ksvd(samples, settings_.dictionary).dictionary)},
             {"mean", mean}}};
  }
  return {{{"basis", svd_basis(samples, settings_.dictionary.atoms)}, {"mean", mean}}};
}

std::unique_ptr<Searcher> Slrfr::make_searcher() const {
  return std::make_unique<SubspaceSearcher>(space_);
}

ModelState Slrfr::state() const {
  ModelState state;
  state.set_space("low", space_);
  state.set_number("atoms", static_cast<double>(settings_.dictionary.atoms));
  state.set_number("sparsity", static_cast<double>(settings_.dictionary.sparsity));
  return state;
}

void Slrfr::restore(const ModelState& state) {
  space_ = state.space("low");
  settings_.dictionary.atoms = state.count("atoms", 1, space_.dimensions() - 1);
  settings_.dictionary.sparsity = state.count("sparsity", 1, 1000);
}

}  // namespace longshot
