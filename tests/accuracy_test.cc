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

}  // namespace
}  // namespace longshot
