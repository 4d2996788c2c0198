// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/experiment_json.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace longshot {
namespace {

using Json = nlohmann::ordered_json;

Json rounded_list(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(rounded(value));
  return list;
}

}  // namespace

Json result_json(const ExperimentResult& result) {
  Json dir = Json::object();
  for (const auto& [fpir, rate] : result.dir_at_fpir)
    dir[fmt::format("{:g}", fpir)] = rounded(rate);
  Json decided = Json::object();
  for (const auto& [fpir, counts] : result.decided) {
    decided[fmt::format("{:g}", fpir)] = {{"fpir", rounded(100.0 * counts.fpir())},
                                          {"dir", rounded(100.0 * counts.dir())},
                                          {"strangers", counts.strangers}};
  }
  return {
      {"method", result.method},
      {"size", to_string(result.size)},
      {"noise", result.noise},
      {"rank1", rounded(result.rank1)},
      {"rank1_std", rounded(result.rank1_deviation)},
      {"rank1_interval", {rounded(result.rank1_interval.low), rounded(result.rank1_interval.high)}},
      {"rank1_draws", rounded_list(result.draw_rank1)},
      {"cmc", rounded_list(result.cmc)},
      {"gallery", result.gallery},
      {"probes", result.probes},
      {"ties", result.tied},
      {"dir_at_fpir", dir},
      {"decided", decided},
      {"eer", rounded(result.equal_error_rate)},
      {"enroll_ms_per_person", rounded(result.enrol_ms)},
      {"identify_ms_per_probe", rounded(result.identify_ms)},
      {"bytes_per_person", rounded(result.person_bytes)},
      {"bytes_per_probe", rounded(result.probe_bytes)},
  };
}

double rounded(double value, double digits) {
  return std::round(value * digits) / digits;
}

std::string experiment_json(const Experiment& experiment, ProtocolKind protocol,
                            const ExperimentOptions& options, Index draws) {
  Json document = {{"protocol", to_string(protocol)},
                   {"profile", to_string(options.method.profile)},
                   {"hr", to_string(experiment.high)},
                   {"seed", options.seed},
                   {"draws", draws},
                   {"results", Json::array()}};
  for (const ExperimentResult& result : experiment.results) {
    document["results"].push_back(result_json(result));
  }
  return document.dump(2) + "\n";
}

std::string experiment_csv(const Experiment& experiment) {
  std::string text =
      "method,size,noise,rank1,rank1_std,gallery,probes,dir_at_fpir_0.01,dir_at_fpir_0.1,eer,"
      "enroll_ms_per_person,identify_ms_per_probe\n";
  const auto dir = [](const ExperimentResult& result, double fpir) {
    const auto found = result.dir_at_fpir.find(fpir);
    return found == result.dir_at_fpir.end() ? std::string() : fmt::format("{:.4f}", found->second);
  };
  for (const ExperimentResult& result : experiment.results) {
    text +=
        fmt::format("{},{},{:g},{:.4f},{:.4f},{},{},{},{},{:.4f},{:.4f},{:.4f}\n", result.method,
                    to_string(result.size), result.noise, result.rank1, result.rank1_deviation,
                    result.gallery, result.probes, dir(result, 0.01), dir(result, 0.1),
                    result.equal_error_rate, result.enrol_ms, result.identify_ms);
  }
  return text;
}

}  // namespace longshot
