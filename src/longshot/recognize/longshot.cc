// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/longshot.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "longshot/core/error.h"
#include "longshot/recognize/block_searcher.h"
#include "longshot/recognize/fused_scorer.h"
#include "longshot/recognize/life_parts.h"
#include "longshot/recognize/plda.h"
#include "longshot/recognize/tune.h"

namespace longshot {
namespace {

// Noise that the second and the third index expect, in units of the mean intensity. Square roots
// would turn noise in dark pixels into outliers, so these two are linear.
constexpr double kNoises[] = {0.1, 0.3};
constexpr std::size_t kPartsPerIndex = 5;
// Of network and gradients beside pixels that training people have taught what may change, in units
// of kLifeWeight.
constexpr double kTrainedWeight = 0.08;

std::string weight_of(const std::string& part) {
  return part + ".weight";
}

// What a probe needs before it is compared with anybody.
struct ProbeModel {
  std::vector<FeatureSpace> spaces;  // one per index
  DegradationBank bank;
  DegradationChoice choice = DegradationChoice::kNone;
  std::vector<LifePart> life;  // empty where pixels are to be compared alone
};

// Probes in the features of the indexes that they belong to.
struct SeenProbes final : PreparedProbes {
  using PreparedProbes::PreparedProbes;

  struct Group {
    std::size_t index = 0;
    std::vector<Index> own;    // which probes
    Matrix features;           // of their pixels
    std::vector<Matrix> life;  // coordinates, by part
  };
  std::vector<Group> groups;
};

class LongshotSearcher final : public StoredSearcher {
 public:
  LongshotSearcher(ProbeModel model, double nearest)
      : model_(std::make_shared<const ProbeModel>(std::move(model))) {
    for (const LifePart& part : model_->life) {
      life_people_.emplace_back(part.space.between().size());
      moves_.emplace_back();
    }
    for (const FeatureSpace& space : model_->spaces) {
      blocks_.emplace_back(space.dimensions(), nearest * static_cast<double>(space.dimensions()));
    }
  }

  std::unique_ptr<Searcher> copy() const override {
    return std::make_unique<LongshotSearcher>(*this);
  }
  std::unique_ptr<Searcher> centred(const Camera& camera) const override {
    auto result = std::make_unique<LongshotSearcher>(*this);
    for (std::size_t k = 0; k < moves_.size(); ++k) {
      result->moves_[k] = model_->life[k].space.move_of(camera);
    }
    result->life_weight_ = life_weight_on(camera.days);
    return result;
  }
  void replace(Index first, Index last, StoredTemplates stored) override {
    std::vector<std::vector<SoftSubspaceRows>> rows(blocks_.size());  // by index
    for (auto& own : rows) own.resize(stored.size());
    std::vector<std::vector<MatrixView>> life(model_->life.size());  // by part
    for (auto& own : life) own.resize(stored.size());
    for_each_stored(stored, [&](std::size_t i) {
      StoredParts parts(stored[i], kPartsPerIndex * rows.size() + life.size());
      for (std::size_t k = 0; k < rows.size(); ++k) {
        rows[k][i] = read(parts, model_->spaces[k].dimensions());
      }
      for (std::size_t k = 0; k < life.size(); ++k) {
        life[k][i] = parts.next(model_->life[k].name, life_people_[k].length(), 1);
      }
    });
    for (std::size_t k = 0; k < rows.size(); ++k) blocks_[k].replace(first, last, rows[k]);
    for (std::size_t k = 0; k < life.size(); ++k) life_people_[k].replace(first, last, life[k]);
  }

  Index people() const override { return blocks_[0].people(); }
  Index bytes() const override {
    Index bytes = life_bytes();
    for (const SoftSubspaceBlock& block : blocks_) bytes += block.bytes();
    return bytes;
  }
  Index bytes_per_probe() const override { return blocks_[0].bytes() + life_bytes(); }

  Matrix distances(const MatrixRef& probes) const override {
    return prepared_distances(*prepare(probes));
  }
  Matches search(const MatrixRef& probes, Index top) const override {
    return search_prepared(*prepare(probes), top);
  }

  std::unique_ptr<const PreparedProbes> prepare(const MatrixRef& probes) const override {
    check_probes(probes, model_->spaces[0].pixels(), people());
    auto result = std::make_unique<SeenProbes>(probes);
    const std::vector<Index> chosen = choose(probes);
    for (std::size_t i = 0; i < model_->spaces.size(); ++i) {
      SeenProbes::Group group{i, {}, {}, {}};
      for (std::size_t j = 0; j < chosen.size(); ++j) {
        if (member(chosen[j]) == static_cast<Index>(i)) group.own.push_back(static_cast<Index>(j));
      }
      if (group.own.empty()) continue;
      const Matrix images = restored(probes, group.own, chosen);
      group.features = model_->spaces[i].features(images);
      for (std::size_t k = 0; life_weight_ > 0.0 && k < moves_.size(); ++k) {
        group.life.push_back(model_->life[k].space.moved_coordinates(images, moves_[k]));
      }
      result->groups.push_back(std::move(group));
    }
    return result;
  }
  Matrix prepared_distances(const PreparedProbes& probes) const override {
    Matrix result(people(), probes.images.cols());
    for (const SeenProbes::Group& group : dynamic_cast<const SeenProbes&>(probes).groups) {
      const FusedScorer scorer = fused(group);
      result(Eigen::all, group.own) = all_distances(scorer, scorer.features());
    }
    return result;
  }
  Matches search_prepared(const PreparedProbes& probes, Index top) const override {
    const Index kept = std::min(top, people());
    Matches result{{kept, probes.images.cols()}, {kept, probes.images.cols()}};
    for (const SeenProbes::Group& group : dynamic_cast<const SeenProbes&>(probes).groups) {
      const FusedScorer scorer = fused(group);
      const Matches found = search_people(scorer, scorer.features(), kept);
      result.people(Eigen::all, group.own) = found.people;
      result.distances(Eigen::all, group.own) = found.distances;
    }
    return result;
  }

 private:
  // In the order of enrol().
  static SoftSubspaceRows read(StoredParts& parts, Index dimensions) {
    SoftSubspaceRows rows;
    rows.mean = parts.next("mean", dimensions, 1);
    rows.basis = parts.next("basis", dimensions);
    const Index rank = rows.basis.cols;
    rows.shrinkage = parts.next("shrinkage", rank, 1);
    rows.offset = *parts.next("offset", 1, 1).values;
    rows.samples = parts.next("samples", rank + 2);
    if (rows.samples.cols < 1) throw Error("The template does not belong to this model.");
    return rows;
  }

  Index life_bytes() const {
    Index bytes = 0;
    for (const PldaPeople& part : life_people_) bytes += part.bytes();
    return bytes;
  }

  FusedScorer fused(const SeenProbes::Group& group) const {
    std::vector<FusedScorer::Part> parts;
    for (std::size_t k = 0; k < group.life.size(); ++k) {
      parts.push_back({&life_people_[k], life_weight_ * model_->life[k].weight, group.life[k]});
    }
    return {blocks_[group.index], group.features, std::move(parts)};
  }

  // Some of the probes as the gallery would show them, by the degradations that were chosen.
  Matrix restored(const MatrixRef& probes, const std::vector<Index>& own,
                  const std::vector<Index>& chosen) const {
    if (model_->choice == DegradationChoice::kNone) return probes(Eigen::all, own);
    Matrix images(probes.rows(), static_cast<Index>(own.size()));
    for (Index j = 0; j < images.cols(); ++j) {
      const Index probe = own[static_cast<std::size_t>(j)];
      images.col(j) =
          model_->bank.restored(probes.col(probe), chosen[static_cast<std::size_t>(probe)]);
    }
    return images;
  }

  std::vector<Index> choose(const MatrixRef& probes) const {
    const auto count = static_cast<std::size_t>(probes.cols());
    switch (model_->choice) {
      case DegradationChoice::kProbe:
        return model_->bank.choose_each(probes);
      case DegradationChoice::kBatch:
        return std::vector<Index>(count, model_->bank.choose_for_all(probes));
      case DegradationChoice::kNone:
        break;
    }
    return std::vector<Index>(count, 0);
  }

  Index member(Index degradation) const {
    if (model_->choice == DegradationChoice::kNone) return 0;
    return model_->bank.degradation(degradation).member;
  }

  std::shared_ptr<const ProbeModel> model_;
  std::vector<SoftSubspaceBlock> blocks_;  // by index
  std::vector<PldaPeople> life_people_;    // by part
  std::vector<Vector> moves_;              // of probes, by part; empty: none
  double life_weight_ = 1.0;               // of all parts
};

// Models of earlier versions know pixels alone, or pixels and gradients.
bool knows(const ModelState& state, const std::string& part) {
  const auto found = state.matrices().lower_bound(part);
  return found != state.matrices().end() && found->first.starts_with(part);
}

// Ordered by preference.
std::vector<LongshotOptions> candidates(const LongshotOptions& base) {
  std::vector<LongshotOptions> list;
  for (const Normalisation normalisation :
       {Normalisation::kRootUnitNorm, Normalisation::kUnitNorm, Normalisation::kZeroMeanUnitNorm}) {
    for (const double spread : {1.0, 0.3, 3.0}) {
      for (const double nearest : {3.0, 1.0, 0.0}) {
        LongshotOptions candidate = base;
        candidate.tune = false;
        candidate.life = false;
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

// The weight of faces in life, as the training people prefer it if they are to be asked.
double choose_life_weight(const TrainingSet& training, const LongshotOptions& options, bool ask) {
  if (training.empty()) return kLifeWeight;
  const std::vector<double> weights = {kTrainedWeight * kLifeWeight, 0.5 * kLifeWeight,
                                       1.5 * kLifeWeight, 0.0};
  if (!ask) return weights.front();
  LongshotOptions pixels = options;
  pixels.tune = false;
  pixels.life = false;
  pixels.choice = DegradationChoice::kNone;
  const TuneResult tuned = tune_weight(
      training, weights, [&] { return std::make_unique<Longshot>(pixels); },
      [&](const std::vector<const PersonImages*>& people, const Matrix& probes) {
        return life_evidence(training.extender->geometry(), people, probes);
      });
  return weights[static_cast<std::size_t>(tuned.best)];
}

}  // namespace

void LongshotOptions::check() const {
  whitening.check();
  person.check();
  if (life_weight && !(*life_weight >= 0.0 && *life_weight <= 100.0)) {
    throw Error("life_weight must be in [0, 100], not {}.", *life_weight);
  }
}

Longshot::Longshot(const LongshotOptions& options) : options_(options), settings_(options) {
  options_.check();
}

void Longshot::learn(const TrainingSet& training) {
  training.check();
  settings_ = tuned<Longshot>(training, options_, candidates);
  settings_.choice = options_.choice;
  settings_.life = options_.life;
  life_.clear();
  spaces_ = {learn_whitened_space(training, settings_.whitening)};
  bank_ = {};
  if (settings_.life) {
    if (!settings_.life_weight) {
      settings_.life_weight = choose_life_weight(training, settings_, options_.tune);
    }
    life_ = life_parts(training.extender->geometry(), *settings_.life_weight);
  }
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
  const Matrix& images = settings_.relit_samples ? person.relit_low : person.photos_low;
  for (std::size_t i = 0; i < spaces_.size(); ++i) {
    SoftSubspace own = learn_soft_subspace(spaces_[i].features(images), settings_.person);
    const auto add = [&](const char* name, Matrix values) {
      result.parts.push_back({fmt::format("{}{}", name, i), std::move(values)});
    };
    add("mean", own.mean);
    add("basis", std::move(own.basis));
    add("shrinkage", own.shrinkage);
    add("offset", Matrix::Constant(1, 1, own.offset));
    add("samples", std::move(own.samples));
  }
  for (const LifePart& part : life_) {
    result.parts.push_back(
        {part.name, plda_person(part.space.between(), part.space.coordinates(person))});
  }
  return result;
}

std::unique_ptr<Searcher> Longshot::make_searcher() const {
  return std::make_unique<LongshotSearcher>(ProbeModel{spaces_, bank_, settings_.choice, life_},
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
  for (const LifePart& part : life_) {
    state.set_number(weight_of(part.name), part.weight);
    part.space.save(state, part.name);
  }
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
  life_.clear();
  for (const char* part : kLifeParts) {
    if (!options_.life || !knows(state, part)) continue;
    life_.push_back({part, LifeSpace::load(state, part), state.number(weight_of(part))});
  }
  settings_.check();
}

}  // namespace longshot
