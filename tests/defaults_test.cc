// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/door.h"

#include "run_program.h"

// The defaults that --help names are those of the public structs.
namespace longshot {
namespace {

using testing::HasSubstr;

std::string help_of(const std::string& command) {
  return run_longshot(command + " --help").out;
}

TEST(Defaults, OfIdentify) {
  const std::string help = help_of("identify");
  const v0::IdentifyOptions options;
  EXPECT_THAT(help, HasSubstr(fmt::format("--top INT={} ", options.top)));
  EXPECT_THAT(help, HasSubstr(fmt::format("--method TEXT={} ", options.method)));
  EXPECT_THAT(help, HasSubstr(fmt::format("--fpir FLOAT={} ", options.fpir)));
}

TEST(Defaults, OfVerify) {
  const std::string help = help_of("verify");
  const v0::VerifyOptions options;
  EXPECT_THAT(help, HasSubstr(fmt::format("--method TEXT={} ", options.method)));
  EXPECT_THAT(help, HasSubstr(fmt::format("--fmr FLOAT={} ", options.fmr)));
}

TEST(Defaults, OfRelightAndDegrade) {
  const v0::RelightRequest relight;
  EXPECT_THAT(help_of("relight"),
              HasSubstr(fmt::format("--hr TEXT={} ", v0::to_string(relight.size))));
  EXPECT_THAT(help_of("degrade"),
              HasSubstr(fmt::format("--operator TEXT={} ", v0::DegradeRequest().op)));
}

}  // namespace
}  // namespace longshot
