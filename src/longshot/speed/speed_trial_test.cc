// SPDX-License-Identifier: Apache-2.0
#include "longshot/speed/speed_trial.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

TEST(SpeedTrial, MeasuresEveryMethodOnAFewPeople) {
  SpeedOptions options;
  options.people = 150;
  const SpeedReport report = measure_speed(options);
  EXPECT_EQ(report.people, 150);
  EXPECT_GT(report.sgemm_gflops, 0.0);
  EXPECT_GT(report.open_ms, 0.0);
  EXPECT_GT(report.add_ms, 0.0);
  EXPECT_GT(report.remove_ms, 0.0);
  EXPECT_GT(report.bytes_per_person, 1920.0);  // the photo alone
  ASSERT_EQ(report.methods.size(), 4U);
  for (const MethodSpeed& speed : report.methods) {
    SCOPED_TRACE(speed.method);
    EXPECT_GT(speed.index_people_per_s, 0.0);
    EXPECT_GT(speed.probes_per_s, 0.0);
    EXPECT_GT(speed.fraction_of_sgemm, 0.0);
    EXPECT_GT(speed.latency_ms, 0.0);
    EXPECT_GT(speed.stream_ms, 0.0);
    EXPECT_GT(speed.index_bytes_per_person, 0.0);
    EXPECT_GT(speed.cached_load_s, 0.0);
    EXPECT_GT(speed.cat_s, 0.0);
    EXPECT_GT(speed.cached_cat_s, 0.0);
    // Enrolling with an index cannot be quicker than without.
    EXPECT_LE(report.enroll_people_per_s, report.store_people_per_s);
  }
}

TEST(SpeedTrial, RefusesWhatCannotBeMeasured) {
  SpeedOptions few;
  few.people = 5;
  EXPECT_THROW(measure_speed(few), Error);
  SpeedOptions nothing;
  nothing.methods = {};
  EXPECT_THROW(measure_speed(nothing), Error);
  SpeedOptions baseline;
  baseline.methods = {"pca"};
  EXPECT_THROW(measure_speed(baseline), Error);
  SpeedOptions large;
  large.size = {400, 400};
  EXPECT_THROW(measure_speed(large), Error);
  SpeedOptions taken;
  taken.gallery = "/";
  EXPECT_THROW(measure_speed(taken), Error);
}

}  // namespace
}  // namespace longshot
