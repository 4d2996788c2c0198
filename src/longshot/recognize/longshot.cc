// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/longshot.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "longshot/core/error.h"
#include "longshot/recognize/tune.h"

namespace longshot {
namespace {

// Noise that the second and the third index expect, in units of the mean intensity. Square roots
// would turn noise in dark pixels into outliers, so these two are linear.
constexpr double kNoises[] = {0.1, 0.3};
constexpr std::size_t kPartsPerIndex = 5;

SoftSubspace from_parts(const Template& person, std::size_t index, Index dimensions) {
  const Matrix* parts = &person.parts[index * kPartsPerIndex];
  const Index k = parts[1].cols();
  if (parts[0].rows() != dimensions || parts[0].cols() != 1 || parts[1].rows() != dimensions ||
      parts[2].size() != k || parts[3].size() != 1 || parts[4].rows() != k + 2 ||
      parts[4].cols() < 1) {
    throw Error("The template does not belong to this model.");
  }
  return {parts[0].col(0), parts[1], parts[2].reshaped(), parts[3](0, 0), parts[4]};
}

class LongshotSearcher final : public Searcher {
 public:
  LongshotSearcher(std::vector<FeatureSpace> spaces, DegradationBank bank, DegradationChoice choice,
                   double nearest)
      : spaces_(std::move(spaces)), bank_(std::move(bank)), choice_(choice) {
    for (const FeatureSpace& space : spaces_) {
      blocks_.emplace_back(space.dimensions(), nearest * static_cast<double>(space.dimensions()));
    }
  }

  void reserve(Index people, const Template& like) override {
    check(like);
    for (std::size_t i = 0; i < spaces_.size(); ++i) {
      const SoftSubspace person = from_parts(like, i, spaces_[i].dimensions());
      blocks_[i].reserve(people, person.basis.cols(), person.samples.cols());
    }
  }
  void add(const Template& person) override {
    check(person);
    std::vector<SoftSubspace> own;
    for (std::size_t i = 0; i < spaces_.size(); ++i) {
      own.push_back(from_parts(person, i, spaces_[i].dimensions()));
    }
    for (std::size_t i = 0; i < spaces_.size(); ++i) blocks_[i].add(own[i]);
  }

  Index people() const override { return blocks_[0].people(); }
  Index bytes_per_probe() const override { return blocks_[0].bytes(); }

  Matrix distances(const MatrixRef& probes) const override {
    check_probes(probes, spaces_[0].pixels(), people());
    Matrix result(people(), probes.cols());
    for_each_index(probes, [&](std::size_t i, const std::vector<Index>& own, const Matrix& images) {
      result(Eigen::all, own) = all_distances(blocks_[i], spaces_[i].features(images));
    });
    return result;
  }
  Matches search(const MatrixRef& probes, Index top) const override {
    check_probes(probes, spaces_[0].pixels(), people());
    const Index kept = std::min(top, people());
    Matches result{{kept, probes.cols()}, {kept, probes.cols()}};
    for_each_index(probes, [&](std::size_t i, const std::vector<Index>& own, const Matrix& images) {
      const Matches found = search_people(blocks_[i], spaces_[i].features(images), kept);
      result.people(Eigen::all, own) = found.people;
      result.distances(Eigen::all, own) = found.distances;
    });
    return result;
  }

 private:
  void check(const Template& person) const {
    if (person.parts.size() != spaces_.size() * kPartsPerIndex) {
      throw Error("The template does not belong to this model.");
    }
  }

  // Calls body(index, probes of that index, their images as the gallery would show them) for every
  // index that one of the probes belongs to.
  template <typename Body>
  void for_each_index(const MatrixRef& probes, const Body& body) const {
    const std::vector<Index> chosen = choose(probes);
    for (std::size_t i = 0; i < spaces_.size(); ++i) {
      std::vector<Index> own;
      for (std::size_t j = 0; j < chosen.size(); ++j) {
        if (member(chosen[j]) == static_cast<Index>(i)) own.push_back(static_cast<Index>(j));
      }
      if (own.empty()) continue;
      Matrix images(probes.rows(), static_cast<Index>(own.size()));
      for (std::size_t j = 0; j < own.size(); ++j) {
        const Index degradation = chosen[static_cast<std::size_t>(own[j])];
        images.col(static_cast<Index>(j)) = choice_ == DegradationChoice::kNone
                                                ? Matrix(probes.col(own[j]))
                                                : bank_.restored(probes.col(own[j]), degradation);
      }
      body(i, own, images);
    }
  }

  std::vector<Index> choose(const MatrixRef& probes) const {
    const auto count = static_cast<std::size_t>(probes.cols());
    switch (choice_) {
      case DegradationChoice::kProbe:
        return bank_.choose_each(probes);
      case DegradationChoice::kBatch:
        return std::vector<Index>(count, bank_.choose_for_all(probes));
      case DegradationChoice::kNone:
        break;
    }
    return std::vector<Index>(count, 0);
  }

  Index member(Index degradation) const {
    return choice_ == DegradationChoice::kNone ? 0 : bank_.degradation(degradation).member;
  }

  std::vector<FeatureSpace> spaces_;
  DegradationBank bank_;
  DegradationChoice choice_;
  std::vector<SoftSubspaceBlock> blocks_;  // by index
};

// Ordered by preference.
std::vector<LongshotOptions> candidates(const LongshotOptions& base) {
  std::vector<LongshotOptions> list;
  for (const Normalisation normalisation :
       {Normalisation::kRootUnitNorm, Normalisation::kUnitNorm, Normalisation::kZeroMeanUnitNorm}) {
    for (const double spread : {1.0, 0.3, 3.0}) {
      for (const double nearest : {3.0, 1.0, 0.0}) {
        LongshotOptions candidate = base;
        candidate.tune = false;
        // Training probes are degraded as the gallery is.
        candidate.choice = DegradationChoice::kNone;
        candidate.whitening.normalisation = normalisation;
        candidate.person.spread = spread;
        candidate.person.nearest = nearest;
        list.push_back(candidate);
      }
    }
  }
  return list;
}

}  // namespace

void LongshotOptions::check() const {
  whitening.check();
  person.check();
}

Longshot::Longshot(const LongshotOptions& options) : options_(options), settings_(options) {
  options_.check();
}

void Longshot::learn(const TrainingSet& training) {
  training.check();
  settings_ = tuned<Longshot>(training, options_, candidates);
  settings_.choice = options_.choice;
  spaces_ = {learn_whitened_space(training, settings_.whitening)};
  bank_ = {};
  if (settings_.choice == DegradationChoice::kNone) return;
  for (const double noise : kNoises) {
    WhiteningOptions noisy = settings_.whitening;
    if (noisy.normalisation == Normalisation::kRootUnitNorm) {
      noisy.normalisation = Normalisation::kUnitNorm;
    }
    noisy.noise = noise;
    spaces_.push_back(learn_whitened_space(training, noisy));
  }
  bank_ = DegradationBank::learn(training, usual_degradations(training.extender->geometry()));
}

Template Longshot::enrol(const PersonImages& person) const {
  Template result;
  for (const FeatureSpace& space : spaces_) {
    const Matrix& images = settings_.relit_samples ? person.relit_low : person.photos_low;
    SoftSubspace own = learn_soft_subspace(space.features(images), settings_.person);
    result.parts.push_back(std::move(own.mean));
    result.parts.push_back(std::move(own.basis));
    result.parts.push_back(std::move(own.shrinkage));
    result.parts.push_back(Matrix::Constant(1, 1, own.offset));
    result.parts.push_back(std::move(own.samples));
  }
  return result;
}

std::unique_ptr<Searcher> Longshot::make_searcher() const {
  return std::make_unique<LongshotSearcher>(spaces_, bank_, settings_.choice,
                                            settings_.person.nearest);
}

ModelState Longshot::state() const {
  ModelState state;
  state.set_number("indexes", static_cast<double>(spaces_.size()));
  for (std::size_t i = 0; i < spaces_.size(); ++i) {
    state.set_space(fmt::format("low{}", i), spaces_[i]);
  }
  state.set_number("dimensions", static_cast<double>(settings_.person.dimensions));
  state.set_number("spread", settings_.person.spread);
  state.set_number("nearest", settings_.person.nearest);
  state.set_number("relit_samples", settings_.relit_samples ? 1.0 : 0.0);
  state.set_number("choice", static_cast<double>(settings_.choice));
  bank_.save(state);
  return state;
}

void Longshot::restore(const ModelState& state) {
  spaces_.clear();
  const Index indexes = state.count("indexes", 1, 3);
  for (Index i = 0; i < indexes; ++i) spaces_.push_back(state.space(fmt::format("low{}", i)));
  settings_.person.dimensions = state.count("dimensions", 1, 100000);
  settings_.person.spread = state.number("spread");
  settings_.person.nearest = state.number("nearest");
  settings_.relit_samples = state.count("relit_samples", 0, 1) == 1;
  settings_.choice = static_cast<DegradationChoice>(state.count("choice", 0, 2));
  bank_ = DegradationBank::load(state);
  settings_.check();
}

}  // namespace longshot
