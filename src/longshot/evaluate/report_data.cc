// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/report_data.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "longshot/evaluate/experiment_json.h"
#include "longshot/evaluate/report_findings.h"
#include "longshot/evaluate/report_pictures.h"
#include "longshot/evaluate/verification.h"

namespace longshot {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownRejections = 100;

Json curve_json(const VerificationCurve& curve) {
  const std::vector<DetPoint> deviates = det_points(curve);
  Json roc = Json::array();
  Json det = Json::array();
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    const OperatingPoint& point = curve.points[k];
    // Zero has no place on a logarithmic axis.
    if (point.fmr > 0.0) {
      roc.push_back({rounded(100.0 * point.fmr, 1e7), rounded(100.0 * (1.0 - point.fnmr))});
    }
    det.push_back({rounded(deviates[k].fmr_deviate), rounded(deviates[k].fnmr_deviate)});
  }
  return {{"roc", roc}, {"det", det}, {"genuine", curve.genuine}, {"impostor", curve.impostor}};
}

Json report_result_json(const ExperimentResult& result) {
  Json shown = result_json(result);
  // Ranks beyond the last person say nothing.
  Json& cmc = shown["cmc"];
  while (cmc.size() > static_cast<std::size_t>(std::max<Index>(result.gallery, 1))) {
    cmc.erase(cmc.size() - 1);
  }
  shown["curve"] = curve_json(result.roc);
  return shown;
}

Json finding_json(const SizeFinding& finding) {
  Json others = Json::array();
  for (const MethodComparison& other : finding.others) {
    others.push_back({{"method", other.method},
                      {"rank1", rounded(other.rank1)},
                      {"only_best", other.test.only_first},
                      {"only_other", other.test.only_second},
                      {"p", other.test.p},
                      {"adjusted", other.adjusted},
                      {"significant", other.adjusted < kSignificance}});
  }
  return {
      {"size", to_string(finding.size)}, {"noise", finding.noise},           {"best", finding.best},
      {"rank1", rounded(finding.rank1)}, {"sentence", to_sentence(finding)}, {"others", others}};
}

std::size_t people_in(const Dataset& dataset, const std::vector<Index>& samples) {
  std::set<std::string> subjects;
  for (const Index i : samples)
    subjects.insert(dataset.samples[static_cast<std::size_t>(i)].subject);
  return subjects.size();
}

// Pairs of a name and a value, as the report lists them.
Json configuration_json(const ReportInput& input) {
  const ExperimentOptions& options = input.options;
  const Draw& draw = input.plan.draws.front();
  std::size_t probes = 0;
  for (const Run& run : draw.runs) probes += run.probes.size();
  std::vector<std::string> sizes;
  for (const Size size : options.sizes) sizes.push_back(to_string(size));
  const std::vector<LightDirection> lights =
      relight_options(options.method, input.plan.lights).lights;
  std::vector<std::string> directions;
  for (const LightDirection& light : lights) {
    directions.push_back(fmt::format("{:g}:{:g}", light.azimuth, light.elevation));
  }
  std::vector<std::string> settings;
  for (const auto& [name, value] : options.method.parameters) {
    settings.push_back(fmt::format("{} = {}", name, value));
  }
  const bool trained = options.use_training && !draw.train.empty();
  const std::string training =
      !options.use_training ? "not used"
      : !trained            ? "none"
                 : fmt::format("{} people, {} photos", people_in(input.dataset, draw.train),
                               draw.train.size());
  Json list = Json::array();
  const auto add = [&](std::string_view name, const std::string& value) {
    list.push_back({name, value});
  };
  add("Protocol", to_string(input.plan.kind));
  add("Data", input.data_name);
  add("Training", training);
  add("Gallery",
      fmt::format("{} people, {} photos{}", people_in(input.dataset, draw.runs.front().gallery),
                  draw.runs.front().gallery.size(), draw.runs.size() > 1 ? " in each run" : ""));
  add("Probes", draw.runs.size() == 1
                    ? fmt::format("{}", probes)
                    : fmt::format("{} in {} runs of each draw", probes, draw.runs.size()));
  add("Draws", fmt::format("{}", input.plan.draws.size()));
  add("Profile", to_string(options.method.profile));
  add("Parameters", options.method.tune && trained
                        ? "tuned by cross-validation on the training people"
                        : "defaults");
  add("High resolution", to_string(input.experiment.high));
  add("Low resolutions",
      sizes.empty() ? "the probes' own" : fmt::format("{}", fmt::join(sizes, ", ")));
  add("Operator", to_string(options.op));
  if (options.probe_op) add("Operator of the probes", to_string(*options.probe_op));
  add("Noise of the probes", fmt::format("{} grey levels of 255", fmt::join(options.noise, ", ")));
  if (options.jitter > 0.0)
    add("Shift of the probes", fmt::format("up to {:g} pixels", options.jitter));
  add("Lights, azimuth:elevation", fmt::format("{}", fmt::join(directions, ", ")));
  if (!settings.empty()) add("Set by hand", fmt::format("{}", fmt::join(settings, ", ")));
  add("Seed", fmt::format("{}", options.seed));
  add("Version", "longshot " + input.version);
  return list;
}

// Of a face as it is to be shown: its pixels need not be square.
double width_over_height(const Experiment& experiment) {
  if (experiment.frame.aspect != kSquarePixels) return rounded(1.0 / experiment.frame.aspect);
  return rounded(static_cast<double>(experiment.high.cols) /
                 static_cast<double>(experiment.high.rows));
}

// The worst confusions of the best method at each size and the first noise level.
Json confusions_json(const ReportInput& input, const std::vector<SizeFinding>& findings) {
  Json list = Json::array();
  std::set<std::string> seen;
  for (const SizeFinding& finding : findings) {
    if (!seen.insert(to_string(finding.size)).second) continue;
    for (const ExperimentResult& result : input.experiment.results) {
      if (result.size != finding.size || result.noise != finding.noise ||
          result.method != finding.best) {
        continue;
      }
      list.push_back({{"size", to_string(result.size)},
                      {"method", result.method},
                      {"list", confusion_pictures(input, result)}});
    }
  }
  return list;
}

Json rejections_json(const Experiment& experiment) {
  Json list = Json::array();
  for (const Rejection& rejection : experiment.rejections) {
    if (list.size() == kShownRejections) break;
    list.push_back({rejection.path, rejection.reason});
  }
  return list;
}

}  // namespace

std::string report_data(const ReportInput& input) {
  const std::vector<SizeFinding> findings = find_best_methods(input.experiment.results);
  Json document = {{"protocol", to_string(input.plan.kind)},
                   {"data", input.data_name},
                   {"date", input.date},
                   {"command", input.command},
                   {"draws", input.plan.draws.size()},
                   {"shape", width_over_height(input.experiment)},
                   {"results", Json::array()},
                   {"findings", Json::array()},
                   {"configuration", configuration_json(input)},
                   {"examples", example_pictures(input)},
                   {"relighting", relighting_pictures(input)},
                   {"confusions", confusions_json(input, findings)},
                   {"rejected", input.experiment.rejections.size()},
                   {"rejections", rejections_json(input.experiment)}};
  for (const ExperimentResult& result : input.experiment.results) {
    document["results"].push_back(report_result_json(result));
  }
  for (const SizeFinding& finding : findings) document["findings"].push_back(finding_json(finding));
  // File and subject names need not be UTF-8.
  const std::string text = document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      escaped += "\\u003c";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace longshot
