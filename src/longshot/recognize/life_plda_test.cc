// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/life_plda.h"

#include <gtest/gtest.h>

#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

// Galleries keep models and templates by these names.
TEST(LifePlda, KeepsItsPartByTheNameThatItIsGiven) {
  const RecognizerProblem& problem = recognizer_problem();
  LifePlda gradients("plda", "gradients", gradient_table());
  gradients.learn(problem.training);
  EXPECT_TRUE(gradients.state().matrices().contains("gradients.numbers"));
  const Template person = gradients.enrol(problem.people.front());
  ASSERT_EQ(person.parts.size(), 1U);
  EXPECT_EQ(person.parts.front().name, "gradients");

  LifePlda again("plda", "gradients", gradient_table());
  again.restore(gradients.state());
  EXPECT_EQ(all_distances(again, problem.people, problem.probes),
            all_distances(gradients, problem.people, problem.probes));
}

}  // namespace
}  // namespace longshot
