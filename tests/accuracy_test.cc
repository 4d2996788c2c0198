// SPDX-License-Identifier: Apache-2.0
// Floors of recognition rates on real faces: a change that costs accuracy fails here.
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "longshot/core/test_data.h"
#include "longshot/evaluate/experiment.h"

namespace longshot {
namespace {

using Rates = std::map<std::pair<std::string, std::string>, double>;  // by method and size

Rates rank_one_rates(const Experiment& experiment) {
  Rates rates;
  for (const ExperimentResult& result : experiment.results) {
    rates[{result.method, to_string(result.size)}] = result.rank1;
    fmt::print("  {:<10} {:<6} {:.1f} +- {:.1f}\n", result.method, to_string(result.size),
               result.rank1, result.rank1_deviation);
  }
  return rates;
}

TEST(Accuracy, DictionariesOnPieInThePapersProfile) {
  const auto folder = test_data("pie-c27-32x32/illum");
  if (!folder) GTEST_SKIP() << "skipped: no data";
  const Dataset dataset = load_dataset(*folder);
  ExperimentOptions options;
  options.methods = {"slrfr", "kernel", "joint"};
  options.sizes = {{7, 6}, {12, 10}, {19, 16}};
  const Rates rates = rank_one_rates(
      run_experiment(dataset, plan_protocol(ProtocolKind::kPie, dataset, {3}), options));
  EXPECT_GE(rates.at({"slrfr", "7x6"}), 75.0);
  EXPECT_GE(rates.at({"slrfr", "12x10"}), 82.0);
  EXPECT_GE(rates.at({"slrfr", "19x16"}), 84.0);
  for (const char* method : {"kernel", "joint"}) {
    EXPECT_GE(rates.at({method, "7x6"}), 76.0);
    EXPECT_GE(rates.at({method, "12x10"}), 83.0);
    EXPECT_GE(rates.at({method, "19x16"}), 85.0);
  }
}

ExperimentOptions best_longshot(std::vector<Size> sizes) {
  ExperimentOptions options;
  options.methods = {"longshot"};
  options.method.profile = Profile::kBest;
  options.method.tune = false;
  options.sizes = std::move(sizes);
  return options;
}

TEST(Accuracy, LongshotOnPie) {
  const auto folder = test_data("pie-c27-32x32/illum");
  if (!folder) GTEST_SKIP() << "skipped: no data";
  const Dataset dataset = load_dataset(*folder);
  ExperimentOptions options = best_longshot({{7, 6}, {12, 10}, {19, 16}});
  const ProtocolPlan plan = plan_protocol(ProtocolKind::kPie, dataset, {1});
  const Rates rates = rank_one_rates(run_experiment(dataset, plan, options));
  EXPECT_GE(rates.at({"longshot", "7x6"}), 95.0);
  EXPECT_GE(rates.at({"longshot", "12x10"}), 98.0);
  EXPECT_GE(rates.at({"longshot", "19x16"}), 98.5);

  options.sizes = {{7, 6}};
  options.probe_op = parse_operator("gauss:0.8");
  EXPECT_GE(rank_one_rates(run_experiment(dataset, plan, options)).at({"longshot", "7x6"}), 87.0);
  options.probe_op.reset();
  options.noise = {12.5};
  EXPECT_GE(rank_one_rates(run_experiment(dataset, plan, options)).at({"longshot", "7x6"}), 65.0);
}

TEST(Accuracy, LongshotWithoutTrainingPeople) {
  const auto folder = test_data("pie-c27-32x32/illum");
  if (!folder) GTEST_SKIP() << "skipped: no data";
  const Dataset dataset = load_dataset(*folder);
  ExperimentOptions options = best_longshot({{7, 6}});
  options.use_training = false;
  const ProtocolPlan plan = plan_protocol(ProtocolKind::kPie, dataset, {1});
  EXPECT_GE(rank_one_rates(run_experiment(dataset, plan, options)).at({"longshot", "7x6"}), 86.0);
}

TEST(Accuracy, LongshotOnYaleB) {
  const auto folder = test_data("yaleb-192x168");
  if (!folder) GTEST_SKIP() << "skipped: no data";
  const Dataset dataset = load_dataset(*folder);
  const Rates rates =
      rank_one_rates(run_experiment(dataset, plan_protocol(ProtocolKind::kYaleB, dataset, {1}),
                                    best_longshot({{7, 6}, {12, 10}})));
  EXPECT_GE(rates.at({"longshot", "7x6"}), 56.0);
  EXPECT_GE(rates.at({"longshot", "12x10"}), 69.0);
}

}  // namespace
}  // namespace longshot
