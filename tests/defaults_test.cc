// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/ranges.h>
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

TEST(Defaults, OfClips) {
  const v0::ClipOptions options;
  const std::string help = help_of("identify");
  EXPECT_THAT(help, HasSubstr(fmt::format("--every INT={} ", options.every)));
  EXPECT_THAT(help,
              HasSubstr(fmt::format("--least-eyes FLOAT={:g} ", options.faces.least_eye_distance)));
}

TEST(Defaults, OfFaces) {
  EXPECT_THAT(help_of("faces"), HasSubstr(fmt::format("--least-eyes FLOAT={} ",
                                                      v0::FaceOptions().least_eye_distance)));
}

TEST(Defaults, OfVerify) {
  const std::string help = help_of("verify");
  const v0::VerifyOptions options;
  EXPECT_THAT(help, HasSubstr(fmt::format("--method TEXT={} ", options.method)));
  EXPECT_THAT(help, HasSubstr(fmt::format("--fmr FLOAT={} ", options.fmr)));
}

TEST(Defaults, OfTrainAndSynth) {
  EXPECT_THAT(help_of("train"),
              HasSubstr(fmt::format("--hr TEXT={} ", v0::to_string(v0::TrainOptions().high))));
  const std::string synth = help_of("synth");
  EXPECT_THAT(synth, HasSubstr("photo, " + v0::to_string(v0::SyntheticOptions().size)));
  EXPECT_THAT(synth, HasSubstr("clip, " + v0::to_string(v0::SyntheticClipOptions().size)));
  EXPECT_THAT(help_of("demo"), HasSubstr(fmt::format("--people INT:INT in [4 - 100000]={}\n",
                                                     v0::SyntheticOptions().people)));
}

TEST(Defaults, OfEvaluate) {
  const std::string help = help_of("evaluate");
  const v0::EvaluateOptions options;
  std::vector<std::string> sizes;
  for (const v0::Size size : options.sizes) sizes.push_back(v0::to_string(size));
  const auto list = [&](const std::string& name, const auto& values) {
    EXPECT_THAT(help, HasSubstr(fmt::format("--{}=[{}] ", name, fmt::join(values, ","))));
  };
  list("methods TEXT", options.methods);
  list("sizes TEXT", sizes);
  list("noise FLOAT", options.noise);
  const auto one = [&](const std::string& name, const auto& value) {
    EXPECT_THAT(help, HasSubstr(fmt::format("--{}={} ", name, value)));
  };
  one("profile TEXT", options.profile);
  one("operator TEXT", options.op);
  one("jitter FLOAT", options.jitter);
  one("simulate-cameras INT", options.simulated_cameras);
  one("camera-harm FLOAT", options.camera_harm);
  one("draws INT", options.draws);
  one("fpir FLOAT", options.fpir);
}

TEST(Defaults, OfRelightAndDegrade) {
  const v0::RelightRequest relight;
  EXPECT_THAT(help_of("relight"),
              HasSubstr(fmt::format("--hr TEXT={} ", v0::to_string(relight.size))));
  EXPECT_EQ(v0::parse_lights("9").size(), 9U);
  EXPECT_THAT(help_of("relight"), HasSubstr("--lights TEXT=9 ")) << "as many as the struct means";
  EXPECT_TRUE(relight.lights.empty());
  EXPECT_THAT(help_of("degrade"),
              HasSubstr(fmt::format("--operator TEXT={} ", v0::DegradeRequest().op)));
}

}  // namespace
}  // namespace longshot
