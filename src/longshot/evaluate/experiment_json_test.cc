// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/experiment_json.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace longshot {
namespace {

Experiment some_experiment() {
  Experiment experiment;
  experiment.high = {48, 40};
  ExperimentResult result;
  result.method = "longshot";
  result.size = {7, 6};
  result.noise = 2.5;
  result.rank1 = 87.123456;
  result.cmc = {87.0, 90.0};
  result.dir_at_fpir = {{0.01, 50.0}};
  result.decided[0.01] = {200, 3, 10, 4};
  experiment.results = {result};
  return experiment;
}

TEST(ExperimentJson, HoldsTheResultsInPercent) {
  ExperimentOptions options;
  options.seed = 7;
  const auto document =
      nlohmann::json::parse(experiment_json(some_experiment(), ProtocolKind::kPie, options, 3));
  EXPECT_EQ(document["protocol"], "pie");
  EXPECT_EQ(document["seed"], 7);
  EXPECT_EQ(document["draws"], 3);
  const auto& result = document["results"][0];
  EXPECT_EQ(result["size"], "7x6");
  EXPECT_EQ(result["rank1"], 87.1235);
  EXPECT_EQ(result["dir_at_fpir"]["0.01"], 50.0);
  EXPECT_EQ(result["decided"]["0.01"]["fpir"], 1.5);
  EXPECT_EQ(result["decided"]["0.01"]["dir"], 40.0);
  EXPECT_EQ(result["decided"]["0.01"]["strangers"], 200);
}

TEST(ExperimentCsv, HasOneLinePerResult) {
  const std::string text = experiment_csv(some_experiment());
  EXPECT_NE(text.find("\nlongshot,7x6,2.5,87.1235,"), std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

}  // namespace
}  // namespace longshot
