// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "longshot/gallery.h"

#include "commands.h"
#include "face_options.h"
#include "terminal_progress.h"

namespace longshot::cli {
namespace {

struct TrainArguments {
  std::vector<std::string> paths;
  std::string high = to_string(TrainOptions().high);
  std::string out;
  std::string detector;
};

int run_train(const TrainArguments& arguments, const Context& context) {
  const std::vector<Picture> pictures = load_pictures(arguments.paths, Purpose::train);
  const Trained trained =
      train(pictures, arguments.out, {parse_size(arguments.high), arguments.detector},
            TerminalProgress(context.quiet).callback());
  const int told = after_change([&] {
    print_result(fmt::format("{} photos of {} people in {}\n", trained.photos, trained.people,
                             arguments.out));
  });
  return std::max(told, report_rejections(trained.rejections));
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
