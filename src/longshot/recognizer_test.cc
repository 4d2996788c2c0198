// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "longshot/core/random.h"
#include "longshot/door.h"
#include "longshot/recognize/method.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Does what a built-in method does, as someone else's class would.
class Borrowed final : public v0::Method {
 public:
  explicit Borrowed(const std::string& name, double factor = 1.0)
      : method_(v0::make_method(name)), factor_(factor) {}

  void learn(const v0::TrainingSet& training) override { method_->learn(training); }
  v0::Template enrol(const v0::PersonImages& person) const override {
    return method_->enrol(person);
  }
  std::vector<double> distances(const std::vector<v0::Template>& people,
                                const v0::Images& probes) const override {
    std::vector<double> all = method_->distances(people, probes);
    for (double& one : all) one *= factor_;
    return all;
  }

 private:
  std::unique_ptr<v0::Method> method_;
  double factor_;
};

class Silent final : public v0::Method {
 public:
  void learn(const v0::TrainingSet& /*training*/) override {}
  v0::Template enrol(const v0::PersonImages& /*person*/) const override { return 1; }
  std::vector<double> distances(const std::vector<v0::Template>& /*people*/,
                                const v0::Images& /*probes*/) const override {
    return {0.0};
  }
};

class OwnMethod : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    v0::SyntheticOptions people;
    people.people = 6;
    people.photos = 3;
    people.size = {60, 50};
    people.training = 4;
    v0::write_synthetic_people(folder(), people);
  }
  static void TearDownTestSuite() { fs::remove_all(folder()); }
  OwnMethod() { options_.sizes = {{7, 6}}; }

  static fs::path folder() {
    return fs::path(testing::TempDir()) / fmt::format("own_method_{}", getpid());
  }

  v0::EvaluateOptions options_;
};

TEST_F(OwnMethod, IsTriedAsTheBuiltInOnesAre) {
  options_.methods = {"subspace", "mine"};
  options_.own_methods["mine"] = [] { return std::make_unique<Borrowed>("subspace"); };
  options_.noise = {0.0, 10.0};
  options_.draws = 1;
  options_.decisions = true;
  const std::vector<v0::MethodResult> results = v0::evaluate(folder(), options_).results();
  ASSERT_EQ(results.size(), 4U);
  for (const std::size_t i : {0U, 2U}) {
    EXPECT_EQ(results[i].method, "subspace");
    EXPECT_EQ(results[i + 1].method, "mine");
    EXPECT_EQ(results[i].cmc, results[i + 1].cmc);
    EXPECT_EQ(results[i].eer, results[i + 1].eer);
    EXPECT_EQ(results[i].probes, results[i + 1].probes);
    EXPECT_EQ(results[i].dir_at_fpir, results[i + 1].dir_at_fpir);
    EXPECT_EQ(results[i + 1].decided.size(), 3U);
  }
}

TEST_F(OwnMethod, OfOppositeDistancesIsWorse) {
  options_.methods = {"subspace", "mine"};
  options_.own_methods["mine"] = [] { return std::make_unique<Borrowed>("subspace", -1.0); };
  const std::vector<v0::MethodResult> results = v0::evaluate(folder(), options_).results();
  EXPECT_GT(results[0].rank1, results[1].rank1 + 40.0);
}

TEST_F(OwnMethod, IsRefusedInOneSentence) {
  const auto complaint = [&] {
    try {
      v0::evaluate(folder(), options_);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  options_.methods = {"mine"};
  options_.own_methods["mine"] = [] { return std::make_unique<Silent>(); };
  EXPECT_THAT(complaint(), HasSubstr("mine gave 1 distances for 6 people"));
  options_.own_methods["mine"] = [] { return std::unique_ptr<v0::Method>(); };
  EXPECT_THAT(complaint(), HasSubstr("no method"));
  options_.methods = {"pca"};
  EXPECT_THAT(complaint(), HasSubstr("not among those to try"));
  options_.own_methods.clear();
  options_.own_methods["pca"] = [] { return std::make_unique<Silent>(); };
  EXPECT_THAT(complaint(), HasSubstr("built-in"));
}

v0::Images random_photos(std::ptrdiff_t count, v0::Size size) {
  Random random(3);
  v0::Images images{size, {}};
  for (std::ptrdiff_t i = 0; i < count * size.rows * size.cols; ++i) {
    images.values.push_back(random.uniform(0.2, 0.8));
  }
  return images;
}

TEST(RecognizerFace, LearnsEnrolsAndCompares) {
  const v0::Images photos = random_photos(12, {24, 20});
  std::vector<int> subjects;
  for (int i = 0; i < 12; ++i) subjects.push_back(i / 2);
  v0::TrainingOptions options;
  options.low = {7, 6};
  const v0::TrainingSet training(photos, subjects, options);
  EXPECT_EQ(training.photos_high().values, photos.values);
  EXPECT_EQ(training.photos_low().count(), 12);
  EXPECT_EQ(training.low(), (v0::Size{7, 6}));
  EXPECT_EQ(training.subjects(), subjects);
  v0::MethodOptions method_options;
  method_options.tune = false;
  const std::unique_ptr<v0::Method> method = v0::make_method("pca", method_options);
  const auto person = [&](std::ptrdiff_t i) {
    const auto first = photos.values.begin() + i * 480;
    return training.extend({photos.size, {first, first + 480}});
  };
  EXPECT_THROW(method->enrol(person(0)), Error);
  method->learn(training);
  const std::vector<v0::Template> people = {method->enrol(person(0)), method->enrol(person(2)),
                                            method->enrol(person(4))};
  const std::vector<double> distances = method->distances(people, person(2).photos_low);
  ASSERT_EQ(distances.size(), 3U);
  EXPECT_EQ(std::min_element(distances.begin(), distances.end()) - distances.begin(), 1);
  EXPECT_THROW(method->distances(people, person(2).photos_high), Error);
  EXPECT_THROW(method->distances({v0::Template(1)}, person(2).photos_low), Error);
  v0::PersonImages swapped = person(2);
  std::swap(swapped.photos_low, swapped.photos_high);
  EXPECT_THROW(method->enrol(swapped), Error);
}

TEST(RecognizerFace, RefusesWhatDoesNotFit) {
  const v0::Images photos = random_photos(2, {24, 20});
  EXPECT_THROW(v0::TrainingSet(photos, {1}), Error);
  v0::TrainingOptions options;
  options.low = {48, 40};
  EXPECT_THROW(v0::TrainingSet(photos, {1, 2}, options), Error);
  v0::Images torn = photos;
  torn.values.pop_back();
  EXPECT_THROW(v0::TrainingSet(torn, {1, 2}), Error);
  EXPECT_THROW(v0::TrainingSet(photos, {1, 2}).extend(random_photos(1, {12, 10})), Error);
  EXPECT_THROW(v0::make_method("magic"), Error);
  EXPECT_EQ(v0::method_names(), method_names());
}

}  // namespace
}  // namespace longshot
