// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/experiment_decisions.h"

#include <gtest/gtest.h>

namespace longshot {
namespace {

TEST(TruePeople, AreRowsOrNotEnrolled) {
  Dataset dataset;
  for (const char* subject : {"bert", "anna", "carl"}) {
    dataset.samples.emplace_back();
    dataset.samples.back().subject = subject;
  }
  longshot::Run run;
  run.probes = {2, 0, 1};
  const std::vector<Enrolled> people = {{"anna", {}, {}, {}}, {"bert", {}, {}, {}}};
  const std::vector<Index> truth = true_people(dataset, run, people);
  EXPECT_EQ(truth, (std::vector<Index>{kNotEnrolled, 1, 0}));
  EXPECT_EQ(true_among(truth, {1}), (std::vector<Index>{kNotEnrolled, 0, kNotEnrolled}));
}

}  // namespace
}  // namespace longshot
