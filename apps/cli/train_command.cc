// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "longshot/pipeline/trainer.h"

#include "commands.h"
#include "face_options.h"

namespace longshot::cli {
namespace {

struct TrainArguments {
  std::vector<std::string> paths;
  std::string high = "48x40";
  std::string out;
  std::string detector;
};

int run_train(const TrainArguments& arguments, Context& context) {
  const std::vector<Input> inputs =
      list_inputs(load_face_inputs(arguments.paths, {}), Role::kTrain);
  IntakeOptions options;
  options.frame = frame_for(inputs);
  options.high = parse_size(arguments.high);
  options.detector = arguments.detector;
  const TrainReport report = train(inputs, options, *context.progress);
  write_training(arguments.out, report.faces);
  const int told = after_change([&] {
    print_result(fmt::format("{} photos of {} people in {}\n", report.faces.count(),
                             report.faces.people(), arguments.out));
  });
  return std::max(told, report_rejections(report.rejections));
}

}  // namespace

Action add_train(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<TrainArguments>();
  CLI::App* command = add_command(
      app, "train", "Learn what people who are not to be enrolled can teach about faces.",
      "longshot train others --out others.model");
  TrainArguments& a = *arguments;
  command->add_option("path", a.paths, "Folders, manifests or .mat files")->required();
  command->add_option("--hr", a.high, "Size of the faces")->capture_default_str();
  command->add_option("--out", a.out, "The model file; it holds the faces")->required();
  command->add_option("--detector", a.detector,
                      "YuNet model (.onnx); default: the system's Haar cascades");
  return [arguments, &context] { return run_train(*arguments, context); };
}

}  // namespace longshot::cli
