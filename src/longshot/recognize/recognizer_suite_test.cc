// SPDX-License-Identifier: Apache-2.0
// What every recogniser promises, whatever its method.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/core/test_data.h"
#include "longshot/recognize/method.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

const std::set<std::string> kDictionaryMethods = {"slrfr", "kernel", "joint", "subspace", "affine"};

class RecognizerSuite : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (is_network() && !network()) GTEST_SKIP() << "skipped: no data";
  }

  // What photographs taught a network tells our artificial people apart no better than chance.
  static bool is_network() { return GetParam().starts_with("embedding"); }
  // One sharp photo against a small probe, through two maps that a handful of people taught: even
  // the enrolled photo itself need not come first.
  static bool compares_across_resolutions() { return GetParam() == "clpm"; }
  static std::optional<std::filesystem::path> network() {
    return test_data("models/mobilefacenet_128.onnx");
  }

  static std::unique_ptr<Recognizer> make(bool tune = false) {
    MethodOptions options;
    options.tune = tune;
    if (is_network()) options.embedding = *network();
    return make_recognizer(GetParam(), options);
  }

  static std::unique_ptr<Recognizer> trained() {
    std::unique_ptr<Recognizer> recognizer = make();
    recognizer->learn(problem().training);
    return recognizer;
  }

  static const RecognizerProblem& problem() { return recognizer_problem(); }

  static std::vector<Index> order(const Vector& distances) {
    std::vector<Index> people(static_cast<std::size_t>(distances.size()));
    std::iota(people.begin(), people.end(), 0);
    std::stable_sort(people.begin(), people.end(),
                     [&](Index a, Index b) { return distances(a) < distances(b); });
    return people;
  }

  // Scores differ between methods by orders of magnitude; rounding is relative to them.
  static void expect_close(const Matrix& actual, const Matrix& expected) {
    ASSERT_EQ(actual.rows(), expected.rows());
    ASSERT_EQ(actual.cols(), expected.cols());
    EXPECT_LE((actual - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff());
  }
};

TEST_P(RecognizerSuite, IsMadeUnderItsOwnName) {
  EXPECT_EQ(make()->name(), GetParam());
}

TEST_P(RecognizerSuite, RecognisesTheEnrolledPhotos) {
  if (GetParam() == "embedding-hr") GTEST_SKIP() << "skipped: sharp photos of artificial people";
  const auto recognizer = trained();
  Matrix photos(problem().geometry().low.pixels(), 0);
  std::vector<Index> truth;
  for (const PersonImages& person : problem().people) {
    photos.conservativeResize(Eigen::NoChange, photos.cols() + 1);
    photos.rightCols(1) = person.photos_low;
    truth.push_back(photos.cols() - 1);
  }
  EXPECT_GE(rank_one_percent(all_distances(*recognizer, problem().people, photos), truth),
            compares_across_resolutions() ? 40.0 : 100.0);
}

TEST_P(RecognizerSuite, RecognisesOtherLightsMoreOftenThanChance) {
  const Matrix distances = all_distances(*trained(), problem().people, problem().probes);
  EXPECT_TRUE(distances.allFinite());
  const double floor = is_network() ? 0.0 : compares_across_resolutions() ? 20.0 : 50.0;
  EXPECT_GE(rank_one_percent(distances, problem().truth), floor);
}

TEST_P(RecognizerSuite, TunesItself) {
  const auto recognizer = make(true);
  recognizer->learn(problem().training);
  const Matrix distances = all_distances(*recognizer, problem().people, problem().probes);
  EXPECT_GE(rank_one_percent(distances, problem().truth), is_network() ? 0.0 : 50.0);
}

TEST_P(RecognizerSuite, RanksAlikeWhateverTheExposure) {
  if (is_network()) GTEST_SKIP() << "a network sees the exposure";
  const auto searcher = enrol_all(*trained(), problem().people);
  const Matrix once = searcher->distances(problem().probes);
  const Matrix brighter = searcher->distances(3.0 * problem().probes);
  for (Index j = 0; j < once.cols(); ++j) {
    EXPECT_EQ(order(once.col(j)), order(brighter.col(j))) << "probe " << j;
  }
}

TEST_P(RecognizerSuite, PermutedPeopleHavePermutedDistances) {
  const auto recognizer = trained();
  const Matrix straight = all_distances(*recognizer, problem().people, problem().probes);
  const std::vector<Index> order = {3, 0, 5, 1, 4, 2};
  std::vector<PersonImages> shuffled;
  for (const Index i : order) shuffled.push_back(problem().people[static_cast<std::size_t>(i)]);
  expect_close(all_distances(*recognizer, shuffled, problem().probes), straight(order, Eigen::all));
}

TEST_P(RecognizerSuite, AnotherPersonChangesNoOtherDistance) {
  const auto recognizer = trained();
  if (!recognizer->has_independent_distances()) GTEST_SKIP() << "skipped: codes over all people";
  const auto searcher = recognizer->make_searcher();
  for (Index i = 0; i < 3; ++i) {
    searcher->add(recognizer->enrol(problem().people[static_cast<std::size_t>(i)]));
  }
  EXPECT_EQ(searcher->people(), 3);
  const Matrix before = searcher->distances(problem().probes);
  searcher->add(recognizer->enrol(problem().people[3]));
  EXPECT_EQ(searcher->people(), 4);
  expect_close(searcher->distances(problem().probes).topRows(3), before);
}

TEST_P(RecognizerSuite, ProbesAreScoredOneByOne) {
  const auto searcher = enrol_all(*trained(), problem().people);
  const Matrix together = searcher->distances(problem().probes);
  for (const Index j : {Index{0}, problem().probes.cols() - 1}) {
    expect_close(searcher->distances(problem().probes.col(j)), together.col(j));
  }
  EXPECT_EQ(searcher->distances(problem().probes.leftCols(0)).cols(), 0);
}

TEST_P(RecognizerSuite, ProbesAreMadeReadyOnceForSeveralSearchers) {
  const auto recognizer = trained();
  const auto searcher = enrol_all(*recognizer, problem().people);
  const auto few = enrol_all(*recognizer, {problem().people[1], problem().people[3]});
  const auto prepared = searcher->prepare(problem().probes);
  EXPECT_EQ(searcher->prepared_distances(*prepared), searcher->distances(problem().probes));
  EXPECT_EQ(few->prepared_distances(*prepared), few->distances(problem().probes));
  const Matches found = few->search_prepared(*prepared, 1);
  const Matches expected = few->search(problem().probes, 1);
  EXPECT_EQ(found.people, expected.people);
  EXPECT_EQ(found.distances, expected.distances);
}

TEST_P(RecognizerSuite, OneSampleIsEnough) {
  const auto recognizer = trained();
  std::vector<PersonImages> people = problem().people;
  people[2].relit_high = people[2].photos_high;
  people[2].relit_low = people[2].photos_low;
  const Matrix distances = all_distances(*recognizer, people, problem().probes);
  EXPECT_TRUE(distances.allFinite());
  const Matrix own = all_distances(*recognizer, people, people[2].photos_low);
  if (GetParam() != "embedding-hr" && !compares_across_resolutions()) {
    EXPECT_EQ(order(own.col(0)).front(), 2);
  }
}

TEST_P(RecognizerSuite, DuplicateSamplesAreHarmless) {
  const auto recognizer = trained();
  std::vector<PersonImages> people = problem().people;
  people[1].relit_high = people[1].relit_high.col(0).replicate(1, 15).eval();
  people[1].relit_low = people[1].relit_low.col(0).replicate(1, 15).eval();
  people[4].relit_high = people[4].relit_high.replicate(1, 2).eval();
  people[4].relit_low = people[4].relit_low.replicate(1, 2).eval();
  EXPECT_TRUE(all_distances(*recognizer, people, problem().probes).allFinite());
}

TEST_P(RecognizerSuite, APersonWithoutImagesIsRefused) {
  const auto recognizer = trained();
  PersonImages nobody = problem().people[0];
  for (Matrix* images :
       {&nobody.photos_high, &nobody.photos_low, &nobody.relit_high, &nobody.relit_low}) {
    images->conservativeResize(Eigen::NoChange, 0);
  }
  EXPECT_THROW(recognizer->enrol(nobody), Error);
}

TEST_P(RecognizerSuite, AnEmptyGalleryIsRefused) {
  const auto searcher = trained()->make_searcher();
  EXPECT_EQ(searcher->people(), 0);
  EXPECT_THROW(searcher->distances(problem().probes), Error);
}

TEST_P(RecognizerSuite, ATemplateOfAnotherModelIsRefused) {
  EXPECT_THROW(trained()->make_searcher()->add({}), Error);
  EXPECT_THROW(trained()->make_searcher()->add(
                   {{{"basis", Matrix::Ones(3, 2)}, {"mean", Matrix::Ones(3, 1)}}}),
               Error);
}

TEST_P(RecognizerSuite, ValuesThatAreNotFiniteAreRefused) {
  const auto recognizer = trained();
  const auto searcher = enrol_all(*recognizer, problem().people);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Matrix probes = problem().probes;
    probes(5, 1) = bad;
    EXPECT_THROW(searcher->distances(probes), Error);
    PersonImages person = problem().people[0];
    for (Matrix* images :
         {&person.photos_high, &person.photos_low, &person.relit_high, &person.relit_low}) {
      (*images)(3, 0) = bad;
    }
    EXPECT_THROW(recognizer->enrol(person), Error);
    TrainingSet training = problem().training;
    training.photos_high(7, 2) = bad;
    EXPECT_THROW(make()->learn(training), Error);
  }
}

TEST_P(RecognizerSuite, ProbesOfAnotherSizeAreRefused) {
  const auto searcher = enrol_all(*trained(), problem().people);
  EXPECT_THROW(searcher->distances(problem().probes.topRows(41)), Error);
  EXPECT_THROW(searcher->distances(Matrix::Ones(480, 1)), Error);
}

TEST_P(RecognizerSuite, ABlackProbeIsEquallyFarFromEveryone) {
  Matrix probes = problem().probes.leftCols(3);
  const auto searcher = enrol_all(*trained(), problem().people);
  const Matrix usual = searcher->distances(probes);
  probes.col(1).setZero();
  const Matrix distances = searcher->distances(probes);
  EXPECT_TRUE(distances.allFinite());
  EXPECT_EQ(distances.col(1).minCoeff(), distances.col(1).maxCoeff());
  expect_close(distances.col(0), usual.col(0));
  expect_close(distances.col(2), usual.col(2));
}

TEST_P(RecognizerSuite, ThreadsDoNotChangeTheResult) {
  const int threads = thread_count();
  Matrix results[2];
  for (const int count : {1, 2}) {
    set_thread_count(count);
    const auto recognizer = make(true);
    recognizer->learn(problem().training);
    results[count - 1] = all_distances(*recognizer, problem().people, problem().probes);
  }
  set_thread_count(threads);
  EXPECT_EQ(results[0], results[1]);
}

TEST_P(RecognizerSuite, ARestoredModelGivesTheSameScores) {
  const auto recognizer = make(true);
  recognizer->learn(problem().training);
  const auto restored = make();
  restored->restore(recognizer->state());
  EXPECT_EQ(restored->state().matrices(), recognizer->state().matrices());

  const auto searcher = restored->make_searcher();
  for (const PersonImages& person : problem().people) searcher->add(recognizer->enrol(person));
  const Matrix expected = all_distances(*recognizer, problem().people, problem().probes);
  EXPECT_EQ(searcher->distances(problem().probes), expected);
  EXPECT_EQ(all_distances(*restored, problem().people, problem().probes), expected);
}

TEST_P(RecognizerSuite, ADamagedModelIsRefused) {
  EXPECT_THROW(make()->restore(ModelState()), Error);
  const ModelState whole = trained()->state();
  for (const auto& [missing, values] : whole.matrices()) {
    ModelState state;
    for (const auto& [name, kept] : whole.matrices()) {
      if (name != missing) state.set(name, kept);
    }
    EXPECT_THROW(make()->restore(state), Error) << "without " << missing;
  }
}

TEST_P(RecognizerSuite, TooManyAtomsForTheDimensionsAreRefused) {
  if (!kDictionaryMethods.contains(GetParam())) GTEST_SKIP() << "skipped: no dictionary";
  TrainingSet training = problem().training;
  training.photos_high.conservativeResize(Eigen::NoChange, 6);
  training.subjects.resize(6);
  training.gallery_like.clear();
  EXPECT_THROW(make()->learn(training), Error);
}

TEST_P(RecognizerSuite, WorksWithoutTrainingPeopleOrAsksForThem) {
  TrainingSet nobody;
  nobody.extender = problem().extender;
  const auto recognizer = make(true);
  try {
    recognizer->learn(nobody);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("training"), std::string::npos) << error.what();
    return;
  }
  const Matrix distances = all_distances(*recognizer, problem().people, problem().probes);
  EXPECT_TRUE(distances.allFinite());
  EXPECT_GE(rank_one_percent(distances, problem().truth), is_network() ? 0.0 : 50.0);
}

TEST_P(RecognizerSuite, ATrainingSetWithoutExtenderIsRefused) {
  EXPECT_THROW(make()->learn(TrainingSet()), Error);
}

INSTANTIATE_TEST_SUITE_P(Methods, RecognizerSuite, testing::ValuesIn(method_names()),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(MethodTest, AnUnknownNameIsRefusedWithTheKnownOnes) {
  try {
    make_recognizer("eigenface");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("slrfr"), std::string::npos);
  }
}

}  // namespace
}  // namespace longshot
