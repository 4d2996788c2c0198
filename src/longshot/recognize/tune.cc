// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/tune.h"

#include <algorithm>
#include <map>
#include <set>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/core/random.h"

namespace longshot {
namespace {

// One gallery of a fold and its probes: indices of training photos, in order of the people.
struct Split {
  std::vector<Index> gallery;  // one per person
  std::vector<Index> probes;
  std::vector<Index> probe_person;  // index into gallery
};

struct Fold {
  std::vector<Index> learn;  // photos of the other people
  std::vector<Split> splits;
};

// Photos of each person with at least two, of which one may serve as gallery.
using PhotosByPerson = std::map<int, std::vector<Index>>;

PhotosByPerson photos_by_person(const TrainingSet& training) {
  PhotosByPerson people;
  for (Index i = 0; i < training.size(); ++i) {
    people[training.subjects[static_cast<std::size_t>(i)]].push_back(i);
  }
  return people;
}

Split draw_split(const std::vector<const std::vector<Index>*>& people,
                 const std::set<Index>& gallery_like, Random& random) {
  Split split;
  for (const std::vector<Index>* photos : people) {
    std::vector<Index> candidates;
    for (const Index photo : *photos) {
      if (gallery_like.empty() || gallery_like.contains(photo)) candidates.push_back(photo);
    }
    if (candidates.empty()) candidates = *photos;
    const Index chosen =
        candidates[static_cast<std::size_t>(random.below(static_cast<Index>(candidates.size())))];
    for (const Index photo : *photos) {
      if (photo == chosen) continue;
      split.probes.push_back(photo);
      split.probe_person.push_back(static_cast<Index>(split.gallery.size()));
    }
    split.gallery.push_back(chosen);
  }
  return split;
}

std::vector<Fold> make_folds(const TrainingSet& training, const TuneOptions& options) {
  const PhotosByPerson people = photos_by_person(training);
  const std::set<Index> gallery_like(training.gallery_like.begin(), training.gallery_like.end());
  std::vector<std::vector<const std::vector<Index>*>> members(
      static_cast<std::size_t>(options.folds));
  std::size_t next = 0;
  for (const auto& [person, photos] : people) {
    if (photos.size() >= 2) members[next++ % members.size()].push_back(&photos);
  }
  std::vector<Fold> folds;
  for (std::size_t f = 0; f < members.size(); ++f) {
    if (members[f].size() < 2) return {};
    Fold fold;
    std::set<Index> tested;
    for (const auto* photos : members[f]) tested.insert(photos->begin(), photos->end());
    for (Index i = 0; i < training.size(); ++i) {
      if (!tested.contains(i)) fold.learn.push_back(i);
    }
    Random random(options.seed, f);
    for (Index d = 0; d < options.draws; ++d) {
      fold.splits.push_back(draw_split(members[f], gallery_like, random));
    }
    folds.push_back(std::move(fold));
  }
  return folds;
}

// Relit sets are the same for all candidates, folds and draws, so each is made once.
std::map<Index, PersonImages> extend_galleries(const TrainingSet& training,
                                               const std::vector<Fold>& folds) {
  std::map<Index, PersonImages> extended;
  for (const Fold& fold : folds) {
    for (const Split& split : fold.splits) {
      for (const Index photo : split.gallery) extended[photo];
    }
  }
  std::vector<std::pair<const Index, PersonImages>*> entries;
  for (auto& entry : extended) entries.push_back(&entry);
  parallel_for(static_cast<Index>(entries.size()), [&](Index i) {
    auto& [photo, images] = *entries[static_cast<std::size_t>(i)];
    images = training.extender->extend(training.photos_high.col(photo));
  });
  return extended;
}

double rank_one_percent(const Recognizer& recognizer, const Split& split, const Matrix& low,
                        const std::map<Index, PersonImages>& extended) {
  const std::unique_ptr<Searcher> searcher = recognizer.make_searcher();
  std::vector<Template> gallery;
  for (const Index photo : split.gallery) gallery.push_back(recognizer.enrol(extended.at(photo)));
  searcher->add_all(gallery);
  const Matrix distances = searcher->distances(low(Eigen::all, split.probes));
  Index correct = 0;
  for (Index j = 0; j < distances.cols(); ++j) {
    const Index truth = split.probe_person[static_cast<std::size_t>(j)];
    // Equal distances count against the method.
    if ((distances.col(j).array() <= distances(truth, j)).count() == 1) ++correct;
  }
  return 100.0 * static_cast<double>(correct) / static_cast<double>(distances.cols());
}

}  // namespace

TrainingSet part_of(const TrainingSet& training, const std::vector<Index>& photos) {
  TrainingSet part;
  part.extender = training.extender;
  part.photos_high = training.photos_high(Eigen::all, photos);
  const std::set<Index> gallery_like(training.gallery_like.begin(), training.gallery_like.end());
  for (std::size_t i = 0; i < photos.size(); ++i) {
    part.subjects.push_back(training.subjects[static_cast<std::size_t>(photos[i])]);
    if (gallery_like.contains(photos[i])) part.gallery_like.push_back(static_cast<Index>(i));
  }
  return part;
}

void TuneOptions::check() const {
  if (folds < 2) throw Error("folds must be at least 2, not {}.", folds);
  if (draws < 1) throw Error("draws must be at least 1, not {}.", draws);
}

TuneResult tune(const TrainingSet& training, Index candidates, const CandidateFactory& make,
                const TuneOptions& options) {
  options.check();
  training.check();
  if (candidates < 1) throw Error("There is no candidate to choose from.");
  TuneResult result;
  result.rank1.assign(static_cast<std::size_t>(candidates), 0.0);
  if (candidates == 1) return result;
  const std::vector<Fold> folds = make_folds(training, options);
  if (folds.empty()) return result;

  const Matrix low = training.extender->degrade(training.photos_high);
  const std::map<Index, PersonImages> extended = extend_galleries(training, folds);
  std::vector<TrainingSet> parts;
  for (const Fold& fold : folds) parts.push_back(part_of(training, fold.learn));

  const auto fold_count = static_cast<Index>(folds.size());
  Matrix rates(options.draws * fold_count, candidates);
  parallel_for(candidates * fold_count, [&](Index task) {
    const Index candidate = task / fold_count;
    const auto f = static_cast<std::size_t>(task % fold_count);
    const std::unique_ptr<Recognizer> recognizer = make(candidate);
    try {
      recognizer->learn(parts[f]);
    } catch (const Error&) {
      rates.col(candidate).segment(static_cast<Index>(f) * options.draws, options.draws).setZero();
      return;
    }
    for (Index d = 0; d < options.draws; ++d) {
      rates(static_cast<Index>(f) * options.draws + d, candidate) = rank_one_percent(
          *recognizer, folds[f].splits[static_cast<std::size_t>(d)], low, extended);
    }
  });
  const Vector means = rates.colwise().mean();
  for (Index c = 0; c < candidates; ++c) result.rank1[static_cast<std::size_t>(c)] = means(c);
  result.best = std::max_element(means.begin(), means.end()) - means.begin();
  return result;
}

}  // namespace longshot
