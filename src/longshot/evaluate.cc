// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <utility>

#include <fmt/chrono.h>

#include "longshot/core/private_file.h"
#include "longshot/door.h"
#include "longshot/evaluate/experiment.h"
#include "longshot/evaluate/experiment_json.h"
#include "longshot/evaluate/protocol.h"
#include "longshot/evaluate/report.h"
#include "longshot/evaluate/scores_csv.h"
#include "longshot/own_recognizer.h"
#include "longshot/synthetic/synthetic_set.h"

namespace longshot::v0 {

struct Evaluation::Value {
  std::filesystem::path data;
  Dataset dataset;
  ProtocolPlan plan;
  ExperimentOptions options;
  Experiment experiment;
  std::vector<MethodResult> results;
  std::vector<Rejection> rejections;
};

namespace {

ExperimentOptions experiment_options(const EvaluateOptions& options) {
  ExperimentOptions inner;
  inner.methods = options.methods;
  for (const auto& [name, make] : options.own_methods) {
    inner.own_methods[name] = [name = name, make = make] {
      return door::make_own_recognizer(name, make());
    };
  }
  inner.method.profile = parse_profile(options.profile);
  inner.method.tune = options.tune;
  inner.method.parameters = options.parameters;
  inner.method.embedding = options.embedding;
  inner.high = door::inner(options.high);
  inner.sizes.clear();
  for (const Size size : options.sizes) inner.sizes.push_back(door::inner(size));
  inner.noise = options.noise;
  inner.op = parse_operator(options.op);
  if (!options.probe_op.empty()) inner.probe_op = parse_operator(options.probe_op);
  inner.jitter = options.jitter;
  inner.simulated_cameras = options.simulated_cameras;
  inner.camera_harm = options.camera_harm;
  inner.camera = door::inner(options.camera);
  inner.learn_camera = options.learn_camera;
  inner.know_camera = options.know_camera;
  inner.use_training = options.use_training;
  inner.decisions = options.decisions;
  inner.scores = options.scores;
  inner.fpir = options.fpir;
  inner.seed = options.seed;
  inner.reading.detector = options.detector;
  return inner;
}

MethodResult outer_result(const ExperimentResult& result) {
  MethodResult shown;
  shown.method = result.method;
  shown.size = door::outer(result.size);
  shown.noise = result.noise;
  shown.rank1 = result.rank1;
  shown.rank1_std = result.rank1_deviation;
  shown.rank1_interval = {result.rank1_interval.low, result.rank1_interval.high};
  shown.rank1_draws = result.draw_rank1;
  shown.cmc = result.cmc;
  shown.gallery = result.gallery;
  shown.probes = result.probes;
  shown.ties = result.tied;
  shown.dir_at_fpir = result.dir_at_fpir;
  for (const auto& [asked, counts] : result.decided) {
    shown.decided[asked] = {100.0 * counts.fpir(), 100.0 * counts.dir(), counts.strangers};
  }
  shown.eer = result.equal_error_rate;
  shown.enroll_ms_per_person = result.enrol_ms;
  shown.identify_ms_per_probe = result.identify_ms;
  shown.bytes_per_person = result.person_bytes;
  shown.bytes_per_probe = result.probe_bytes;
  return shown;
}

// What people call the data at a path: the folder of a manifest, otherwise the last name.
std::string data_name(const std::filesystem::path& path) {
  std::filesystem::path normal = std::filesystem::absolute(path).lexically_normal();
  if (!normal.has_filename() || normal.filename() == "manifest.csv") normal = normal.parent_path();
  return normal.filename().string();
}

// "2026-01-31 12:00 UTC".
std::string today() {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::chrono::system_clock::now()));
}

}  // namespace

std::map<std::string, std::string> method_parameters() {
  return parameter_names();
}

Evaluation::Evaluation(std::shared_ptr<const Value> value) : value_(std::move(value)) {}

const std::vector<MethodResult>& Evaluation::results() const {
  return value_->results;
}

const std::vector<Rejection>& Evaluation::rejections() const {
  return value_->rejections;
}

std::string Evaluation::json() const {
  return experiment_json(value_->experiment, value_->plan.kind, value_->options,
                         static_cast<Index>(value_->plan.draws.size()));
}

std::string Evaluation::csv() const {
  return experiment_csv(value_->experiment);
}

std::string Evaluation::scores_csv() const {
  return longshot::scores_csv(value_->experiment.scores);
}

void Evaluation::write_report(const std::filesystem::path& path, const ReportText& text) const {
  door::translated([&] {
    const std::string page =
        html_report({value_->dataset, value_->plan, value_->options, value_->experiment,
                     text.data.empty() ? data_name(value_->data) : text.data,
                     text.date.empty() ? today() : text.date, text.command, version()});
    write_private_file(path, page);
  });
}

namespace {

// Reads the data and plans the runs. Where that fails, and folders below look like what was meant,
// the complaint names them.
void plan(Evaluation::Value& value, ProtocolKind kind, const EvaluateOptions& options) {
  try {
    value.dataset = load_dataset(value.data);
    value.plan =
        plan_protocol(kind, value.dataset,
                      {options.draws, options.seed, options.swap_halves, options.corresponding});
  } catch (const Error& error) {
    std::string names;
    for (const std::filesystem::path& folder : data_sets_below(value.data)) {
      names += (names.empty() ? "" : ", ") + folder.string();
    }
    if (names.empty()) throw;
    throw Error(error.kind(), fmt::format("{} Data sets lie in folders below it; was one of them "
                                          "meant: {}?",
                                          error.what(), names));
  }
}

}  // namespace

Evaluation evaluate(const std::filesystem::path& data, const EvaluateOptions& options,
                    const Progress& progress) {
  return door::with_progress(progress, [&](longshot::Progress& shown) {
    auto value = std::make_shared<Evaluation::Value>();
    const ProtocolKind kind = parse_protocol(options.protocol);
    value->data = data;
    value->options = experiment_options(options);
    plan(*value, kind, options);
    if (!options.save_runs.empty()) save_plan(value->plan, value->dataset, options.save_runs);
    value->experiment = run_experiment(value->dataset, value->plan, value->options, shown);
    for (const ExperimentResult& result : value->experiment.results) {
      value->results.push_back(outer_result(result));
    }
    value->rejections = door::outer(value->experiment.rejections);
    value->options.own_methods.clear();  // a report needs their names alone
    return Evaluation(std::move(value));
  });
}

std::ptrdiff_t write_synthetic_people(const std::filesystem::path& folder,
                                      const SyntheticOptions& options, const Progress& progress) {
  return door::with_progress(progress, [&](longshot::Progress& shown) {
    SyntheticSetOptions set;
    set.people = options.people;
    set.photos = options.photos;
    set.size = door::inner(options.size);
    set.training = options.training;
    set.seed = options.seed;
    return static_cast<std::ptrdiff_t>(write_synthetic_set(folder, set, shown).size());
  });
}

}  // namespace longshot::v0
