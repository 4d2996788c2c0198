// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "health_watch.h"

namespace longshot::server_test {

// What must hold whatever a client does. AddressSanitizer needs memory and time of its own.
inline void expect_unharmed(const RunningServer& server, HealthWatch& watch) {
  const HealthWatch::Seen seen = watch.end();
  EXPECT_EQ(seen.failures, 0);
  EXPECT_TRUE(server.is_healthy());
#ifndef LONGSHOT_SANITIZE_ADDRESS
  EXPECT_LT(seen.slowest_ms, 100.0 + seen.machine_ms);
  EXPECT_LT(server.peak_mb(), 300.0);
#endif
  testing::Test::RecordProperty("health_answers", seen.answers);
  testing::Test::RecordProperty("slowest_health_ms", std::to_string(seen.slowest_ms));
  testing::Test::RecordProperty("late_machine_ms", std::to_string(seen.machine_ms));
  testing::Test::RecordProperty("peak_mb", std::to_string(server.peak_mb()));
}

}  // namespace longshot::server_test
