// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/evaluate/experiment.h"

namespace longshot {
namespace {

using testing::HasSubstr;

struct BadOptions {
  const char* sentence;
  std::function<void(ExperimentOptions&)> spoil;
};

TEST(ExperimentOptions, TheDefaultsAreGood) {
  EXPECT_NO_THROW(ExperimentOptions().check());
}

TEST(ExperimentOptions, WhatCannotBeMeasuredIsRefusedWithItsReason) {
  const auto own = [] { return make_recognizer("subspace", {}); };
  const BadOptions cases[] = {
      {"At least one method", [](auto& o) { o.methods.clear(); }},
      {"no_such_method", [](auto& o) { o.methods = {"no_such_method"}; }},
      {"name of a built-in method", [&](auto& o) { o.own_methods["slrfr"] = own; }},
      {"not among those to try", [&](auto& o) { o.own_methods["mine"] = own; }},
      {"At least one noise level", [](auto& o) { o.noise.clear(); }},
      {"noise must be from 0",
       [](auto& o) {
         o.noise = {0.0, -1.0};
       }},
      {"noise must be from 0", [](auto& o) { o.noise = {std::nan("")}; }},
      {"simulated_cameras must be", [](auto& o) { o.simulated_cameras = -1; }},
      {"need stated sizes",
       [](auto& o) {
         o.simulated_cameras = 1;
         o.sizes.clear();
       }},
      {"Only simulated cameras", [](auto& o) { o.know_camera = true; }},
      {"fpir", [](auto& o) { o.fpir = 1.5; }},
      {"jitter must be", [](auto& o) { o.jitter = -0.5; }},
      {"jitter must be", [](auto& o) { o.jitter = std::nan(""); }},
  };
  for (const BadOptions& bad : cases) {
    ExperimentOptions options;
    bad.spoil(options);
    try {
      options.check();
      ADD_FAILURE() << bad.sentence;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(bad.sentence));
    }
  }
}

TEST(ExperimentOptions, AMethodThatIsNotOursIsMadeByItsOwner) {
  ExperimentOptions options;
  int made = 0;
  options.methods = {"mine", "subspace"};
  options.own_methods["mine"] = [&made] {
    ++made;
    return make_recognizer("subspace", {});
  };
  EXPECT_NE(options.make_method("mine"), nullptr);
  EXPECT_NE(options.make_method("subspace"), nullptr);
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace longshot
