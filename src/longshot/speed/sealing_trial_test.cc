// SPDX-License-Identifier: Apache-2.0
#include "longshot/speed/sealing_trial.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

TEST(SealingTrial, MeasuresBothGalleries) {
  SpeedOptions options;
  options.people = 300;
  options.methods = {"slrfr"};
  const SealingReport report = measure_sealing(options);
  EXPECT_EQ(report.people, 300);
  ASSERT_EQ(report.methods.size(), 1U);
  const MethodSealing& speed = report.methods[0];
  EXPECT_EQ(speed.method, "slrfr");
  for (const PlainAndSealed& cost :
       {report.store_s, speed.enroll_s, speed.first_answer_s, speed.probe_s}) {
    EXPECT_GT(cost.plain, 0.0);
    EXPECT_GT(cost.sealed, 0.0);
    EXPECT_LT(cost.sealed, 60.0);
    EXPECT_LT(cost.plain, 60.0);
  }
  // Enrolling with an index cannot cost less than without, nor opening less than one more probe.
  EXPECT_LT(report.store_s.plain, speed.enroll_s.plain);
  EXPECT_LT(report.store_s.sealed, speed.enroll_s.sealed);
  EXPECT_LT(speed.probe_s.plain, speed.first_answer_s.plain);
  EXPECT_LT(speed.probe_s.sealed, speed.first_answer_s.sealed);
}

TEST(SealingTrial, RefusesWhatCannotBeMeasured) {
  SpeedOptions few;
  few.people = 5;
  EXPECT_THROW(measure_sealing(few), Error);
}

}  // namespace
}  // namespace longshot
