// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "longshot/core/error.h"
#include "longshot/core/private_file.h"
#include "longshot/evaluate/experiment.h"
#include "longshot/evaluate/experiment_json.h"
#include "longshot/evaluate/protocol.h"
#include "longshot/evaluate/report.h"
#include "longshot/evaluate/scores_csv.h"

#include "commands.h"
#include "experiment_output.h"

namespace longshot::cli {
namespace {

struct EvaluateArguments {
  std::string protocol;
  std::string data;
  std::vector<std::string> methods = {"slrfr", "kernel", "joint"};
  std::string profile = "paper";
  std::string high;
  std::vector<std::string> sizes = {"7x6", "12x10"};
  std::vector<double> noise = {0.0};
  std::string op = "imresize";
  std::string probe_op;
  double jitter = 0.0;
  Index simulated_cameras = 0;
  double camera_harm = 1.0;
  std::string camera;
  bool no_train = false;
  bool no_tune = false;
  bool thresholds = false;
  double fpir = ExperimentOptions().fpir;
  std::string scores;
  bool swap_halves = false;
  bool corresponding = false;
  Index draws = 1;
  std::vector<std::string> parameters;
  std::string json;
  std::string csv;
  std::string report;
  std::string save_runs;
  std::string detector;
  std::string embedding;
};

ExperimentOptions experiment_options(const EvaluateArguments& arguments, const Context& context) {
  ExperimentOptions options;
  options.methods = arguments.methods;
  options.method.profile = parse_profile(arguments.profile);
  options.method.tune = !arguments.no_tune;
  for (const std::string& assignment : arguments.parameters) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) throw Error("--set needs NAME=VALUE, not \"{}\".", assignment);
    options.method.parameters[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  options.method.embedding = arguments.embedding;
  if (!arguments.high.empty()) options.high = parse_size(arguments.high);
  options.sizes.clear();
  const bool native = arguments.sizes.size() == 1 && arguments.sizes[0] == "native";
  if (!native) {
    for (const std::string& size : arguments.sizes) options.sizes.push_back(parse_size(size));
  }
  options.noise = arguments.noise;
  options.op = parse_operator(arguments.op);
  if (!arguments.probe_op.empty()) options.probe_op = parse_operator(arguments.probe_op);
  options.jitter = arguments.jitter;
  options.simulated_cameras = arguments.simulated_cameras;
  options.camera_harm = arguments.camera_harm;
  options.learn_camera = arguments.camera == "auto";
  options.know_camera = arguments.camera == "known";
  if (!arguments.camera.empty() && !options.learn_camera && !options.know_camera) {
    options.camera = read_camera(arguments.camera);
  }
  options.use_training = !arguments.no_train;
  options.decisions = arguments.thresholds;
  options.scores = !arguments.scores.empty();
  options.fpir = arguments.fpir;
  options.seed = context.seed;
  options.reading.detector = arguments.detector;
  return options;
}

int run_evaluate(const EvaluateArguments& arguments, Context& context) {
  const ProtocolKind kind = parse_protocol(arguments.protocol);
  const ExperimentOptions options = experiment_options(arguments, context);
  const Dataset dataset = load_dataset(arguments.data);
  const ProtocolPlan plan = plan_protocol(
      kind, dataset,
      {arguments.draws, context.seed, arguments.swap_halves, arguments.corresponding});
  if (!arguments.save_runs.empty()) save_plan(plan, dataset, arguments.save_runs);
  const Experiment experiment = run_experiment(dataset, plan, options, *context.progress);

  const std::string json =
      experiment_json(experiment, kind, options, static_cast<Index>(plan.draws.size()));
  if (!arguments.csv.empty()) write_private_file(arguments.csv, experiment_csv(experiment));
  if (!arguments.scores.empty())
    write_private_file(arguments.scores, scores_csv(experiment.scores));
  if (!arguments.report.empty()) {
    const std::string page =
        html_report({dataset, plan, options, experiment, data_name(arguments.data), today(),
                     command_line(context.arguments), LONGSHOT_VERSION});
    write_private_file(arguments.report, page);
  }
  if (arguments.json == "-") {
    print_result(json);
  } else {
    if (!arguments.json.empty()) write_private_file(arguments.json, json);
    print_result(result_table(experiment) + decision_table(experiment));
  }
  return report_rejections(experiment.rejections);
}

std::string parameter_help() {
  std::string text = "NAME=VALUE: set one parameter, with --no-tune; may be repeated.";
  for (const auto& [name, meaning] : parameter_names())
    text += fmt::format("\n{}: {}", name, meaning);
  return text;
}

}  // namespace

Action add_evaluate(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App* command =
      add_command(app, "evaluate", "Run an experiment of the paper and measure it.",
                  "longshot evaluate --protocol pie --data pie/illum --sizes 7x6,12x10 --draws 3");
  EvaluateArguments& a = *arguments;
  command->add_option("--protocol", a.protocol, "frgc, pie, ar, outdoor, yaleb or roles")
      ->required();
  command->add_option("--data", a.data, "Folder, manifest.csv or .mat file")->required();
  command->add_option("--methods", a.methods, "Methods, separated by commas")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--profile", a.profile, "paper or best")->capture_default_str();
  command->add_option("--hr", a.high, "High resolution; default: the images' own up to 48x40");
  command->add_option("--sizes", a.sizes, "Low resolutions, or native")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--noise", a.noise, "Noise of the probes, grey levels of 255")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--operator", a.op, "How gallery photos are brought down")
      ->capture_default_str();
  command->add_option("--probe-operator", a.probe_op,
                      "How probes are brought down; default: as the gallery");
  command->add_option("--jitter", a.jitter, "Shift probes by up to so many high-resolution pixels")
      ->capture_default_str();
  command
      ->add_option("--simulate-cameras", a.simulated_cameras,
                   "Put so many random cameras before the probes, one for each run")
      ->capture_default_str();
  command
      ->add_option("--camera-harm", a.camera_harm,
                   "How much of their noise, compression and blur, 0 to 1")
      ->capture_default_str();
  command->add_option("--camera", a.camera,
                      "Camera file, or auto: learnt from the probes of each run, without labels; "
                      "known: told the simulated ones, for comparison");
  command->add_flag("--no-train", a.no_train, "Learn nothing from the training people");
  command->add_flag("--no-tune", a.no_tune, "Use the defaults instead of cross-validation");
  command->add_flag("--thresholds", a.thresholds,
                    "Also decide as identify does, and count strangers who are taken for somebody");
  command->add_flag("--swap-halves", a.swap_halves, "Train on the second half of the subjects");
  command->add_flag("--corresponding", a.corresponding,
                    "ar: only the same image of the other session is a probe");
  command->add_option("--set", a.parameters, parameter_help());
  command->add_option("--draws", a.draws, "Random repetitions")->capture_default_str();
  command->add_option("--json", a.json, "Write the results as JSON to FILE, or to stdout")
      ->expected(0, 1)
      ->default_str("-");
  command->add_option("--csv", a.csv, "Write the results as CSV");
  command->add_option("--scores", a.scores, "Write what identify decides about each probe as CSV");
  command->add_option("--fpir", a.fpir, "Accepted rate of false positives of --scores")
      ->capture_default_str();
  command->add_option("--report", a.report, "Write a report as one HTML file");
  command->add_option("--save-runs", a.save_runs, "Write every run as a manifest into a folder");
  command->add_option("--detector", a.detector, "YuNet model (.onnx) for photos without eyes");
  command->add_option("--embedding", a.embedding,
                      "Face network (.onnx) for the methods embedding and embedding-hr");
  return [arguments, &context] { return run_evaluate(*arguments, context); };
}

}  // namespace longshot::cli
