// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/kernel_slrfr.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/recognize/recognizer_problem.h"
#include "longshot/recognize/slrfr.h"

namespace longshot {
namespace {

KernelSlrfrOptions untuned_kernel(bool joint) {
  KernelSlrfrOptions options;
  options.joint = joint;
  options.tune = false;
  options.dictionary.atoms = 6;
  options.dictionary.sparsity = 3;
  return options;
}

KernelSlrfr trained(const KernelSlrfrOptions& options) {
  KernelSlrfr recognizer(options);
  recognizer.learn(recognizer_problem().training);
  return recognizer;
}

class KernelSlrfrTest : public testing::TestWithParam<bool> {};

TEST_P(KernelSlrfrTest, DistancesAreSharesOfTheProbesEnergy) {
  const RecognizerProblem& problem = recognizer_problem();
  for (const KernelKind kind : {KernelKind::kLinear, KernelKind::kPolynomial, KernelKind::kRbf}) {
    KernelSlrfrOptions options = untuned_kernel(GetParam());
    options.kernel = kind;
    const Matrix distances = all_distances(trained(options), problem.people, problem.probes);
    EXPECT_GE(distances.minCoeff(), 0.0);
    EXPECT_LE(distances.maxCoeff(), 1.0);
  }
}

TEST_P(KernelSlrfrTest, TheOwnPhotoIsNearest) {
  const RecognizerProblem& problem = recognizer_problem();
  const KernelSlrfr recognizer = trained(untuned_kernel(GetParam()));
  for (std::size_t i = 0; i < problem.people.size(); ++i) {
    Index nearest = -1;
    all_distances(recognizer, problem.people, problem.people[i].photos_low)
        .col(0)
        .minCoeff(&nearest);
    EXPECT_EQ(nearest, static_cast<Index>(i));
  }
}

TEST_P(KernelSlrfrTest, CodingWithAllAtomsIsTheProjector) {
  const RecognizerProblem& problem = recognizer_problem();
  KernelSlrfrOptions options = untuned_kernel(GetParam());
  const Matrix projected = all_distances(trained(options), problem.people, problem.probes);
  options.test_sparsity = options.dictionary.atoms;
  const Matrix coded = all_distances(trained(options), problem.people, problem.probes);
  EXPECT_LT((coded - projected).cwiseAbs().maxCoeff(), 1e-6);
  options.test_sparsity = 2;
  const Matrix sparse = all_distances(trained(options), problem.people, problem.probes);
  EXPECT_GE((sparse - projected).minCoeff(), -1e-6);
  EXPECT_GT((sparse - projected).maxCoeff(), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Joint, KernelSlrfrTest, testing::Bool(), [](const auto& method) {
  return method.param ? std::string("joint") : std::string("kernel");
});

TEST(KernelSlrfrOptionsTest, BadValuesAreRefused) {
  KernelSlrfrOptions options;
  options.low_width = 0.0;
  EXPECT_THROW(KernelSlrfr{options}, Error);
  options = {};
  options.high_width = -1.0;
  EXPECT_THROW(KernelSlrfr{options}, Error);
  options = {};
  options.test_sparsity = -1;
  EXPECT_THROW(KernelSlrfr{options}, Error);
}

}  // namespace
}  // namespace longshot
