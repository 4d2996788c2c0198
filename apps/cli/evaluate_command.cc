// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "longshot/evaluate.h"

#include "camera_text.h"
#include "commands.h"
#include "experiment_output.h"
#include "terminal_progress.h"

namespace longshot::cli {
namespace {

std::vector<std::string> names_of(const std::vector<Size>& sizes) {
  std::vector<std::string> names;
  for (const Size size : sizes) names.push_back(to_string(size));
  return names;
}

struct EvaluateArguments {
  std::string data;
  EvaluateOptions options;
  std::string high;
  std::vector<std::string> sizes = names_of(EvaluateOptions().sizes);
  std::string camera;
  bool no_train = false;
  bool no_tune = false;
  std::vector<std::string> parameters;
  std::string json;
  std::string csv;
  std::string scores;
  std::string report;
};

EvaluateOptions evaluate_options(const EvaluateArguments& arguments, const Context& context) {
  EvaluateOptions options = arguments.options;
  options.tune = !arguments.no_tune;
  for (const std::string& assignment : arguments.parameters) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) {
      throw Error(ErrorKind::bad_input,
                  fmt::format("--set needs NAME=VALUE, not \"{}\".", assignment));
    }
    options.parameters[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  if (!arguments.high.empty()) options.high = parse_size(arguments.high);
  options.sizes.clear();
  const bool native = arguments.sizes.size() == 1 && arguments.sizes[0] == "native";
  if (!native) {
    for (const std::string& size : arguments.sizes) options.sizes.push_back(parse_size(size));
  }
  options.learn_camera = arguments.camera == "auto";
  options.know_camera = arguments.camera == "known";
  if (names_a_camera(arguments.camera) && !options.know_camera) {
    options.camera = Camera::read(arguments.camera);
  }
  options.use_training = !arguments.no_train;
  options.scores = !arguments.scores.empty();
  options.seed = context.seed;
  return options;
}

int run_evaluate(const EvaluateArguments& arguments, const Context& context) {
  const Evaluation evaluation = evaluate(arguments.data, evaluate_options(arguments, context),
                                         TerminalProgress(context.quiet).callback());
  if (!arguments.csv.empty()) write_file(arguments.csv, evaluation.csv());
  if (!arguments.scores.empty()) write_file(arguments.scores, evaluation.scores_csv());
  if (!arguments.report.empty()) {
    evaluation.write_report(arguments.report, {"", command_line(context.arguments), ""});
  }
  deliver(result_table(evaluation.results()) + decision_table(evaluation.results()),
          evaluation.json(), arguments.json);
  return report_rejections(evaluation.rejections());
}

std::string parameter_help() {
  std::string text = "NAME=VALUE: set one parameter, with --no-tune; may be repeated.";
  for (const auto& [name, meaning] : method_parameters())
    text += fmt::format("\n{}: {}", name, meaning);
  return text;
}

}  // namespace

Action add_evaluate(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App* command = add_command(
      app, "evaluate", "Run an experiment of the paper and measure it.",
      "longshot evaluate --protocol roles --data mine --sizes 7x6 --report report.html");
  EvaluateArguments& a = *arguments;
  command->add_option("--protocol", a.options.protocol, "frgc, pie, ar, outdoor, yaleb or roles")
      ->required();
  command->add_option("--data", a.data, "Folder, manifest.csv or .mat file")->required();
  command->add_option("--methods", a.options.methods, "Methods, separated by commas")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--profile", a.options.profile, "paper or best")->capture_default_str();
  command->add_option("--hr", a.high, "High resolution; default: the images' own up to 48x40");
  command->add_option("--sizes", a.sizes, "Low resolutions, or native")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--noise", a.options.noise, "Noise of the probes, grey levels of 255")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--operator", a.options.op, "How gallery photos are brought down")
      ->capture_default_str();
  command->add_option("--probe-operator", a.options.probe_op,
                      "How probes are brought down; default: as the gallery");
  command
      ->add_option("--jitter", a.options.jitter,
                   "Shift probes by up to so many high-resolution pixels")
      ->capture_default_str();
  command
      ->add_option("--simulate-cameras", a.options.simulated_cameras,
                   "Put so many random cameras before the probes, one for each run")
      ->capture_default_str();
  command
      ->add_option("--camera-harm", a.options.camera_harm,
                   "How much of their noise, compression and blur, 0 to 1")
      ->capture_default_str();
  command->add_option(
      "--camera", a.camera,
      "Camera file; auto: learnt from the probes of each run, without labels; none; "
      "known: told the simulated ones, for comparison");
  command->add_flag("--no-train", a.no_train, "Learn nothing from the training people");
  command->add_flag("--no-tune", a.no_tune, "Use the defaults instead of cross-validation");
  command->add_flag("--thresholds", a.options.decisions,
                    "Also decide as identify does, and count strangers who are taken for somebody");
  command->add_flag("--swap-halves", a.options.swap_halves,
                    "Train on the second half of the subjects");
  command->add_flag("--corresponding", a.options.corresponding,
                    "ar: only the same image of the other session is a probe");
  command->add_option("--set", a.parameters, parameter_help());
  command->add_option("--draws", a.options.draws, "Random repetitions")->capture_default_str();
  add_json_option(*command, a.json, "the results");
  command->add_option("--csv", a.csv, "Write the results as CSV");
  command->add_option("--scores", a.scores, "Write what identify decides about each probe as CSV");
  command->add_option("--fpir", a.options.fpir, "Accepted rate of false positives of --scores")
      ->capture_default_str();
  command->add_option("--report", a.report, "Write a report as one HTML file");
  command->add_option("--save-runs", a.options.save_runs,
                      "Write every run as a manifest into a folder");
  command->add_option("--detector", a.options.detector,
                      "YuNet model (.onnx) for photos without eyes");
  command->add_option("--embedding", a.options.embedding,
                      "Face network (.onnx) for the methods embedding and embedding-hr");
  return [arguments, &context] { return run_evaluate(*arguments, context); };
}

}  // namespace longshot::cli
