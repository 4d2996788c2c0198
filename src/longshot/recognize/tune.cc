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

// What all candidates are tested on.
struct Exam {
  std::vector<Fold> folds;                 // none: too few people
  std::vector<TrainingSet> parts;          // to learn from, by fold
  Matrix low;                              // the photos as probes
  std::map<Index, PersonImages> extended;  // by gallery photo
};

Exam set_exam(const TrainingSet& training, const TuneOptions& options) {
  Exam exam;
  exam.folds = make_folds(training, options);
  if (exam.folds.empty()) return exam;
  exam.low = training.extender->degrade(training.photos_high);
  for (const Fold& fold : exam.folds) {
    exam.parts.push_back(part_of(training, fold.learn));
    for (const Split& split : fold.splits) {
      for (const Index photo : split.gallery) exam.extended[photo];
    }
  }
  std::vector<std::pair<const Index, PersonImages>*> entries;
  for (auto& entry : exam.extended) entries.push_back(&entry);
  parallel_for(static_cast<Index>(entries.size()), [&](Index i) {
    auto& [photo, images] = *entries[static_cast<std::size_t>(i)];
    images = training.extender->extend(training.photos_high.col(photo));
  });
  return exam;
}

// People x probes of the split.
Matrix distances_of(const Recognizer& recognizer, const Split& split, const Exam& exam) {
  const std::unique_ptr<Searcher> searcher = recognizer.make_searcher();
  std::vector<Template> gallery;
  for (const Index photo : split.gallery) {
    gallery.push_back(recognizer.enrol(exam.extended.at(photo)));
  }
  searcher->add_all(gallery);
  return searcher->distances(exam.low(Eigen::all, split.probes));
}

double rank_one_percent(const Matrix& distances, const Split& split) {
  Index correct = 0;
  for (Index j = 0; j < distances.cols(); ++j) {
    const Index truth = split.probe_person[static_cast<std::size_t>(j)];
    // Equal distances count against the method.
    if ((distances.col(j).array() <= distances(truth, j)).count() == 1) ++correct;
  }
  return 100.0 * static_cast<double>(correct) / static_cast<double>(distances.cols());
}

// Of every choice by its rates, draws x choices.
TuneResult best_of(const Matrix& rates) {
  const Vector means = rates.colwise().mean();
  return {std::max_element(means.begin(), means.end()) - means.begin(),
          {means.begin(), means.end()}};
}

TuneResult untested(Index choices) {
  return {0, std::vector<double>(static_cast<std::size_t>(choices), 0.0)};
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
  if (candidates == 1) return untested(1);
  const Exam exam = set_exam(training, options);
  if (exam.folds.empty()) return untested(candidates);

  const auto fold_count = static_cast<Index>(exam.folds.size());
  Matrix rates(options.draws * fold_count, candidates);
  parallel_for(candidates * fold_count, [&](Index task) {
    const Index candidate = task / fold_count;
    const Index f = task % fold_count;
    auto own = rates.col(candidate).segment(f * options.draws, options.draws);
    const std::unique_ptr<Recognizer> recognizer = make(candidate);
    try {
      recognizer->learn(exam.parts[static_cast<std::size_t>(f)]);
    } catch (const Error&) {
      own.setZero();
      return;
    }
    for (Index d = 0; d < options.draws; ++d) {
      const Split& split =
          exam.folds[static_cast<std::size_t>(f)].splits[static_cast<std::size_t>(d)];
      own(d) = rank_one_percent(distances_of(*recognizer, split, exam), split);
    }
  });
  return best_of(rates);
}

TuneResult tune_weight(const TrainingSet& training, const std::vector<double>& weights,
                       const std::function<std::unique_ptr<Recognizer>()>& make,
                       const Evidence& evidence, const TuneOptions& options) {
  options.check();
  training.check();
  if (weights.empty()) throw Error("There is no weight to choose from.");
  const auto count = static_cast<Index>(weights.size());
  const Exam exam = set_exam(training, options);
  if (exam.folds.empty()) return untested(count);

  std::vector<const PersonImages*> people;
  std::map<Index, Index> row;  // of the evidence, by gallery photo
  for (const auto& [photo, images] : exam.extended) {
    row[photo] = static_cast<Index>(people.size());
    people.push_back(&images);
  }
  const Matrix ratios = evidence(people, exam.low);
  Matrix rates(options.draws * static_cast<Index>(exam.folds.size()), count);
  for (std::size_t f = 0; f < exam.folds.size(); ++f) {
    const std::unique_ptr<Recognizer> recognizer = make();
    recognizer->learn(exam.parts[f]);
    parallel_for(options.draws, [&](Index d) {
      const Split& split = exam.folds[f].splits[static_cast<std::size_t>(d)];
      std::vector<Index> rows;
      for (const Index photo : split.gallery) rows.push_back(row.at(photo));
      const Matrix distances = distances_of(*recognizer, split, exam);
      const Matrix own = ratios(rows, split.probes);
      for (Index w = 0; w < count; ++w) {
        const Matrix fused =
            distances.array() * (-weights[static_cast<std::size_t>(w)] * own.array()).exp();
        rates(static_cast<Index>(f) * options.draws + d, w) = rank_one_percent(fused, split);
      }
    });
  }
  return best_of(rates);
}

}  // namespace longshot
