// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/progress.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

class Recorder : public Progress {
 public:
  void begin(std::string_view task, Index total) override {
    log += std::string(task) + ":" + std::to_string(total);
  }
  void advance(Index steps) override {
    if (cancel) throw Cancelled();
    log += "+" + std::to_string(steps);
  }
  void end() override { log += "."; }
  std::string log;
  bool cancel = false;
};

TEST(Progress, ScopeEndsAfterNormalWork) {
  Recorder recorder;
  {
    ProgressScope scope(recorder, "work", 3);
    scope.advance();
    scope.advance(2);
  }
  EXPECT_EQ(recorder.log, "work:3+1+2.");
}

TEST(Progress, ScopeEndsWhenCancelled) {
  Recorder recorder;
  recorder.cancel = true;
  EXPECT_THROW(
      {
        ProgressScope scope(recorder, "work", 3);
        scope.advance();
      },
      Cancelled);
  EXPECT_EQ(recorder.log, "work:3.");
}

TEST(Progress, TimeLeftIsProportional) {
  EXPECT_EQ(time_left(0, 10, 5.0), "estimating");
  EXPECT_EQ(time_left(5, 10, 5.0), "5s left");
  EXPECT_EQ(time_left(1, 14, 5.0), "1m 05s left");
  EXPECT_EQ(time_left(1, 1441, 5.0), "2h 00m left");
}

}  // namespace
}  // namespace longshot
