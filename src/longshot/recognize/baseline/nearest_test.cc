// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/nearest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/recognize/baseline/rendered_people_test.h"
#include "longshot/recognize/method.h"

namespace longshot {
namespace {

using rendered_people::photos;
using testing::HasSubstr;

FeatureSpace plane() {
  return {Normalisation::kNone, Vector::Zero(2), Matrix::Identity(2, 2)};
}

TEST(NearestSearcher, FindsTheNearestSampleOfEachPerson) {
  Matrix probes(2, 2);
  probes << 1, 3,  //
      0, 4;
  Matrix first(2, 2);
  first << 1, 5,  //
      2, 0;
  const Matrix second = Matrix::Constant(2, 1, 3.0);
  const auto euclidean = make_nearest_searcher(plane(), NearestMetric::kEuclidean);
  euclidean->add({{{"samples", first}}});
  euclidean->add({{{"samples", second}}});
  Matrix expected(2, 2);
  expected << 4, 8,  //
      13, 1;
  EXPECT_LT((euclidean->distances(probes) - expected).norm(), 1e-12);

  const auto cosine = make_nearest_searcher(plane(), NearestMetric::kCosine);
  cosine->add({{{"samples", first}}});
  cosine->add({{{"samples", second}}});
  const double root = std::sqrt(0.5);
  expected << 0, 1 - 11 / (5 * std::sqrt(5.0)),  //
      1 - root, 1 - 1.4 * root;
  EXPECT_LT((cosine->distances(probes) - expected).norm(), 1e-12);
}

TEST(NearestSearcher, EqualImagesAreNotBelowZero) {
  const Matrix image = Matrix::Constant(2, 1, 1.0 / 3.0);
  for (const NearestMetric metric : {NearestMetric::kEuclidean, NearestMetric::kCosine}) {
    const auto searcher = make_nearest_searcher(plane(), metric);
    searcher->add({{{"samples", image}}});
    EXPECT_GE(searcher->distances(image)(0, 0), 0.0);
    EXPECT_LT(searcher->distances(image)(0, 0), 1e-15);
  }
}

TEST(NearestSearcher, ForeignTemplatesAreRefused) {
  const auto searcher = make_nearest_searcher(plane(), NearestMetric::kCosine);
  EXPECT_THROW(searcher->add({}), Error);
  EXPECT_THROW(searcher->add({{{"samples", Matrix::Ones(3, 1)}}}), Error);
  EXPECT_THROW(searcher->add({{{"samples", Matrix(2, 0)}}}), Error);
  EXPECT_THROW(searcher->add({{{"samples", Matrix::Ones(2, 1)}, {"samples", Matrix::Ones(2, 1)}}}),
               Error);
  EXPECT_THROW(searcher->add({{{"samples", Matrix::Constant(2, 1, std::nan(""))}}}), Error);
  EXPECT_EQ(searcher->people(), 0);
}

// What every nearest-neighbour method promises.
class NearestMethods : public testing::TestWithParam<std::string> {
 protected:
  static constexpr Index kPeople = 5;
  static constexpr Index kProbes = 3;  // per person

  std::unique_ptr<Recognizer> learnt() const {
    auto recognizer = make_recognizer(GetParam());
    recognizer->learn(rendered_people::training());
    return recognizer;
  }

  static Template enrolled(const Recognizer& recognizer, Index person) {
    return recognizer.enrol(
        rendered_people::extender()->extend(photos(static_cast<std::uint64_t>(person + 1), 1)));
  }

  static std::unique_ptr<Searcher> gallery(const Recognizer& recognizer, Index people = kPeople) {
    auto searcher = recognizer.make_searcher();
    for (Index i = 0; i < people; ++i) searcher->add(enrolled(recognizer, i));
    return searcher;
  }

  static Matrix probes() {
    Matrix high(rendered_people::kHigh.pixels(), kPeople * kProbes);
    for (Index i = 0; i < kPeople; ++i) {
      high.middleCols(i * kProbes, kProbes) = photos(static_cast<std::uint64_t>(i + 1), kProbes, 7);
    }
    return rendered_people::extender()->degrade(high);
  }
};

TEST_P(NearestMethods, RecognisesRenderedPeople) {
  const auto recognizer = learnt();
  EXPECT_EQ(recognizer->name(), GetParam());
  EXPECT_TRUE(recognizer->has_independent_distances());
  const Matrix distances = gallery(*recognizer)->distances(probes());
  EXPECT_GE(distances.minCoeff(), 0.0);
  Index correct = 0;
  for (Index j = 0; j < distances.cols(); ++j) {
    Index best = 0;
    distances.col(j).minCoeff(&best);
    if (best == j / kProbes) ++correct;
  }
  EXPECT_GE(correct, 10) << "of 15, where chance gives 3";
}

TEST_P(NearestMethods, TheStateGivesTheSameBits) {
  const auto recognizer = learnt();
  auto restored = make_recognizer(GetParam());
  restored->restore(recognizer->state());
  EXPECT_EQ(gallery(*restored)->distances(probes()), gallery(*recognizer)->distances(probes()));
}

TEST_P(NearestMethods, ADamagedStateIsRefused) {
  const ModelState good = learnt()->state();
  for (const auto& [name, values] : good.matrices()) {
    ModelState bad;
    for (const auto& [other, kept] : good.matrices()) {
      if (other != name) bad.set(other, kept);
    }
    EXPECT_THROW(make_recognizer(GetParam())->restore(bad), Error) << name;
  }
  ModelState fewer = good;
  const Matrix& basis = good.matrix("gallery.basis");
  fewer.set("gallery.basis", basis.leftCols(basis.cols() - 1));
  EXPECT_THROW(make_recognizer(GetParam())->restore(fewer), Error);
}

TEST_P(NearestMethods, ThreadsDoNotChangeTheBits) {
  const Matrix all = gallery(*learnt())->distances(probes());
  set_thread_count(1);
  const Matrix one = gallery(*learnt())->distances(probes());
  set_thread_count(0);
  EXPECT_EQ(all, one);
}

TEST_P(NearestMethods, OthersDoNotChangeADistance) {
  const auto recognizer = learnt();
  const Matrix distances = gallery(*recognizer)->distances(probes());
  EXPECT_EQ(gallery(*recognizer, 2)->distances(probes()), distances.topRows(2));
}

TEST_P(NearestMethods, ExposureDoesNotMatter) {
  const auto searcher = gallery(*learnt());
  EXPECT_LT((searcher->distances(3.0 * probes()) - searcher->distances(probes())).norm(), 1e-9);
}

TEST_P(NearestMethods, ABlackProbeIsEquallyFarFromAll) {
  const auto searcher = gallery(*learnt());
  Matrix images = probes();
  images.col(1).setZero();
  const Matrix distances = searcher->distances(images);
  EXPECT_EQ(distances.col(1).minCoeff(), distances.col(1).maxCoeff());
  EXPECT_GE(distances(0, 1), distances.maxCoeff());
  EXPECT_TRUE(distances.allFinite());
}

TEST_P(NearestMethods, BadInputIsRefused) {
  const auto recognizer = learnt();
  const auto searcher = gallery(*recognizer);
  Matrix images = probes();
  EXPECT_THROW(recognizer->make_searcher()->distances(images), Error);
  EXPECT_THROW(searcher->distances(images.topRows(10)), Error);
  images(3, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(searcher->distances(images), Error);
  EXPECT_THROW(searcher->add({{{"a", Matrix::Ones(1, 1)}, {"b", Matrix::Ones(1, 1)}}}), Error);
  EXPECT_THROW(recognizer->enrol({}), Error);
  const Matrix black = Matrix::Zero(rendered_people::kHigh.pixels(), 1);
  EXPECT_THROW(recognizer->enrol(rendered_people::extender()->extend(black, black)), Error);
}

TEST_P(NearestMethods, WithoutPeopleItWorksOrSaysWhyNot) {
  TrainingSet nobody;
  nobody.extender = rendered_people::extender();
  const auto recognizer = make_recognizer(GetParam());
  if (GetParam().starts_with("pca")) {
    recognizer->learn(nobody);
    EXPECT_EQ(gallery(*recognizer)->distances(probes()).rows(), kPeople);
    return;
  }
  for (const TrainingSet& few : {nobody, rendered_people::training(1)}) {
    try {
      recognizer->learn(few);
      ADD_FAILURE() << "learnt from nobody";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(GetParam() + " needs a training set"));
    }
  }
}

TEST_P(NearestMethods, OnePhotoOfEachTrainingPersonIsEnough) {
  const auto recognizer = make_recognizer(GetParam());
  recognizer->learn(rendered_people::training(6, 1));
  EXPECT_TRUE(gallery(*recognizer)->distances(probes()).allFinite());
}

INSTANTIATE_TEST_SUITE_P(, NearestMethods,
                         testing::Values("pca", "pca-ext", "clpm", "clpm-ext", "mds", "vlr", "rda"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace longshot
