// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/tune.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/recognize/matrix_searcher.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

// Compares the mean of each image with the mean of the person's photo, or finds all equally far.
class MeanSearcher final : public MatrixSearcher {
 public:
  explicit MeanSearcher(bool blind) : MatrixSearcher({"mean"}), blind_(blind) {}
  Index people() const override { return static_cast<Index>(means_.size()); }
  Matrix distances(const MatrixRef& probes) const override {
    Matrix result = Matrix::Ones(people(), probes.cols());
    if (blind_) return result;
    for (Index i = 0; i < people(); ++i) {
      result.row(i) = (probes.colwise().mean().array() - means_[static_cast<std::size_t>(i)]).abs();
    }
    return result;
  }

 private:
  void check(const Template&) const override {}
  void add_checked(const Template& person) override { means_.push_back(person.part("mean")(0, 0)); }

  bool blind_;
  std::vector<double> means_;
};

class MeanRecognizer final : public Recognizer {
 public:
  MeanRecognizer(bool blind, Index least_photos) : blind_(blind), least_photos_(least_photos) {}
  std::string name() const override { return "mean"; }
  void learn(const TrainingSet& training) override {
    if (training.size() < least_photos_) throw Error("Too few.");
  }
  Template enrol(const PersonImages& person) const override {
    return {{{"mean", Matrix::Constant(1, 1, person.photos_low.mean())}}};
  }
  std::unique_ptr<Searcher> make_searcher() const override {
    return std::make_unique<MeanSearcher>(blind_);
  }
  ModelState state() const override { return {}; }
  void restore(const ModelState&) override {}

 private:
  bool blind_;
  Index least_photos_;
};

// Person i has flat photos of nearly the grey level 0.1 (i + 1): the mean tells all apart.
TrainingSet grey_people(int people, int photos) {
  TrainingSet training;
  training.extender = recognizer_problem().extender;
  const Index pixels = training.extender->geometry().high.pixels();
  training.photos_high.resize(pixels, Index{people} * photos);
  for (int i = 0; i < people; ++i) {
    for (int k = 0; k < photos; ++k) {
      training.photos_high.col(i * photos + k).setConstant(0.1 * (i + 1) + 0.01 * k);
      training.subjects.push_back(i);
    }
  }
  return training;
}

CandidateFactory blind_but(Index seeing) {
  return [seeing](Index i) { return std::make_unique<MeanRecognizer>(i != seeing, 0); };
}

TEST(TuneTest, PicksTheBetterCandidate) {
  const TuneResult result = tune(grey_people(6, 3), 3, blind_but(2));
  EXPECT_EQ(result.best, 2);
  EXPECT_EQ(result.rank1, (std::vector<double>{0.0, 0.0, 100.0}));
}

TEST(TuneTest, TheEarlierOfEqualsWins) {
  const auto all_see = [](Index) { return std::make_unique<MeanRecognizer>(false, 0); };
  EXPECT_EQ(tune(grey_people(6, 3), 3, all_see).best, 0);
  const auto last_two = [](Index i) { return std::make_unique<MeanRecognizer>(i == 0, 0); };
  EXPECT_EQ(tune(grey_people(6, 3), 3, last_two).best, 1);
}

TEST(TuneTest, TooFewPeopleOrPhotosLeaveTheFirst) {
  EXPECT_EQ(tune(grey_people(3, 3), 2, blind_but(1)).best, 0);
  EXPECT_EQ(tune(grey_people(8, 1), 2, blind_but(1)).best, 0);
  EXPECT_EQ(tune(grey_people(0, 0), 2, blind_but(1)).best, 0);
  EXPECT_EQ(tune(grey_people(4, 2), 2, blind_but(1)).best, 1);
}

TEST(TuneTest, ACandidateThatRefusesTheDataLoses) {
  const auto greedy = [](Index i) {
    return std::make_unique<MeanRecognizer>(false, i == 0 ? 1000 : 0);
  };
  EXPECT_EQ(tune(grey_people(6, 3), 2, greedy).best, 1);
}

TEST(TuneTest, GalleriesComeFromGalleryLikePhotos) {
  TrainingSet training = grey_people(6, 3);
  // Only the middle photo of each person tells who it is.
  for (Index j = 0; j < training.size(); ++j) {
    if (j % 3 != 1) training.photos_high.col(j).setConstant(0.1 * static_cast<double>(j / 3 + 1));
    if (j % 3 == 1) training.photos_high.col(j).setConstant(0.9);
  }
  for (Index j = 0; j < training.size(); j += 3) training.gallery_like.push_back(j);
  // In each fold of three the probes of the person's grey are recognised, and of those of 0.9 the
  // brightest person's.
  const TuneResult result = tune(training, 2, blind_but(0));
  EXPECT_NEAR(result.rank1[0], 400.0 / 6.0, 1e-9);
}

TEST(TuneTest, IsTheSameEveryTime) {
  const TrainingSet& training = recognizer_problem().training;
  const auto make = [](Index) { return std::make_unique<MeanRecognizer>(false, 0); };
  TuneOptions options;
  const TuneResult first = tune(training, 2, make, options);
  EXPECT_EQ(first.rank1, tune(training, 2, make, options).rank1);
  EXPECT_EQ(first.rank1[0], first.rank1[1]);
}

// The nearer in grey, the more likely, if `sign` is 1; the other way round if it is -1.
Evidence of_greys(double sign, int& calls) {
  return [sign, &calls](const std::vector<const PersonImages*>& people, const Matrix& probes) {
    ++calls;
    Matrix ratios(static_cast<Index>(people.size()), probes.cols());
    for (Index i = 0; i < ratios.rows(); ++i) {
      const double mean = people[static_cast<std::size_t>(i)]->photos_low.mean();
      ratios.row(i) = -sign * (probes.colwise().mean().array() - mean).abs();
    }
    return ratios;
  };
}

TEST(TuneTest, EvidenceCountsAsFarAsItHelps) {
  const TrainingSet training = grey_people(6, 3);
  const auto blind = [] { return std::make_unique<MeanRecognizer>(true, 0); };
  const auto seeing = [] { return std::make_unique<MeanRecognizer>(false, 0); };
  int calls = 0;
  const TuneResult helps = tune_weight(training, {0.0, 1.0}, blind, of_greys(1.0, calls));
  EXPECT_EQ(helps.best, 1);
  EXPECT_EQ(helps.rank1, (std::vector<double>{0.0, 100.0}));
  EXPECT_EQ(calls, 1);
  const TuneResult harms = tune_weight(training, {100.0, 0.0}, seeing, of_greys(-1.0, calls));
  EXPECT_EQ(harms.best, 1);
  EXPECT_LT(harms.rank1[0], harms.rank1[1]);
  EXPECT_EQ(tune_weight(grey_people(3, 3), {0.0, 1.0}, blind, of_greys(1.0, calls)).best, 0);
  EXPECT_THROW(tune_weight(training, {}, blind, of_greys(1.0, calls)), Error);
}

struct MeanOptions {
  bool tune = true;
  bool blind = true;
};

class TunedMean final : public Recognizer {
 public:
  explicit TunedMean(const MeanOptions& options) : mean_(options.blind, 0) {}
  std::string name() const override { return "tuned mean"; }
  void learn(const TrainingSet&) override {}
  Template enrol(const PersonImages& person) const override { return mean_.enrol(person); }
  std::unique_ptr<Searcher> make_searcher() const override { return mean_.make_searcher(); }
  ModelState state() const override { return {}; }
  void restore(const ModelState&) override {}

 private:
  MeanRecognizer mean_;
};

std::vector<MeanOptions> blind_or_not(const MeanOptions&) {
  return {{false, true}, {false, false}};
}

TEST(TuneTest, TunedGivesTheBetterOptionsWhereItIsAskedFor) {
  const TrainingSet training = grey_people(6, 3);
  EXPECT_FALSE(tuned<TunedMean>(training, MeanOptions(), blind_or_not).blind);
  EXPECT_TRUE(tuned<TunedMean>(training, MeanOptions{false, true}, blind_or_not).blind);
  const MeanOptions given = tuned<TunedMean>(grey_people(0, 0), MeanOptions(), blind_or_not);
  EXPECT_TRUE(given.tune && given.blind);
}

TEST(TuneTest, APartKeepsWhatBelongsToItsPhotos) {
  TrainingSet training = grey_people(3, 2);
  training.gallery_like = {0, 3};
  const TrainingSet part = part_of(training, {3, 4});
  EXPECT_EQ(part.subjects, (std::vector<int>{1, 2}));
  EXPECT_EQ(part.gallery_like, (std::vector<Index>{0}));
  EXPECT_EQ(part.photos_high.col(1), training.photos_high.col(4));
  EXPECT_EQ(part.extender, training.extender);
}

TEST(TuneTest, RefusesBadOptions) {
  const TrainingSet training = grey_people(4, 2);
  EXPECT_THROW(tune(training, 0, blind_but(0)), Error);
  EXPECT_THROW(tune(training, 2, blind_but(0), {1, 5, 1}), Error);
  EXPECT_THROW(tune(training, 2, blind_but(0), {2, 0, 1}), Error);
}

}  // namespace
}  // namespace longshot
