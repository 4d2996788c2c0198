// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/decision.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace longshot {
namespace {

// Strangers' log ratios are 0, 0.01, ... 1.
Calibration some_calibration() {
  const Vector strange = Vector::LinSpaced(101, 0.0, 1.0);
  return calibrate({strange.array() + 1.0, strange, strange.array() - 1.0, 1.0, 0.1, 1.0, {}}, 0.0,
                   5);
}

TEST(Decision, ComparesTheNearestPersonWithTheNearestOther) {
  const Calibration calibration = some_calibration();
  const std::vector<double> distances = {1.0, 2.0, 4.0};
  const Decision decision = decide(distances, 3.0, calibration, 0.0, 3);
  EXPECT_NEAR(decision.log_ratio, std::log(2.0), 1e-12);
  ASSERT_EQ(decision.scores.size(), 3U);
  EXPECT_DOUBLE_EQ(decision.scores[0], calibration.score(std::log(2.0)));
  EXPECT_DOUBLE_EQ(decision.scores[1], calibration.score(std::log(0.5)));
  EXPECT_DOUBLE_EQ(decision.scores[2], calibration.score(std::log(0.25)));
}

TEST(Decision, ABackgroundPersonMayBeTheNearestOther) {
  const std::vector<double> distances = {1.0, 2.0};
  EXPECT_NEAR(decide(distances, 1.5, some_calibration(), 0.0, 1).log_ratio, std::log(1.5), 1e-12);
  EXPECT_LT(decide(distances, 0.5, some_calibration(), 0.0, 1).log_ratio, 0.0);
  const std::vector<double> alone = {1.0};
  EXPECT_NEAR(decide(alone, 3.0, some_calibration(), 0.0, 1).log_ratio, std::log(3.0), 1e-12);
}

TEST(Decision, TheAcceptedRateDecidesWhoIsKnown) {
  const Calibration calibration = some_calibration();
  const std::vector<double> distances = {1.0, 2.0};  // log ratio 0.69: 31 % of strangers have more
  const Decision decision = decide(distances, kNobody, calibration, 0.0, 2);
  EXPECT_TRUE(is_known(decision, calibration, 0.5));
  EXPECT_FALSE(is_known(decision, calibration, 0.1));
  EXPECT_FALSE(is_known(decide({}, 1.0, calibration, 0.0, 2), calibration, 1.0));
}

}  // namespace
}  // namespace longshot
