// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "longshot/relighting.h"

#include "commands.h"
#include "face_options.h"
#include "terminal_progress.h"

namespace longshot::cli {
namespace {

namespace fs = std::filesystem;

struct DegradeArguments {
  std::string path;
  std::string size;
  DegradeRequest request;
  std::string out;
};

// A folder of images becomes a folder of images of the same names.
int degrade_folder(const DegradeArguments& arguments, Size size, const Context& context) {
  PictureList list = load({arguments.path}, Purpose::any);
  const auto count = static_cast<std::ptrdiff_t>(list.pictures.size());
  std::ptrdiff_t written = 0;
  TerminalProgress terminal(context.quiet);
  const Progress progress = terminal.callback();
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (!progress("Degrading", i, count))
      throw Error(ErrorKind::cancelled, "Stopped at the user's request.");
    const Picture& picture = list.pictures[static_cast<std::size_t>(i)];
    fs::path target = fs::path(arguments.out) / fs::relative(picture.name, arguments.path);
    target.replace_extension(".png");
    DegradeRequest request = arguments.request;
    request.seed = context.seed + static_cast<std::uint64_t>(i);
    try {
      fs::create_directories(target.parent_path());
      write_degraded(target, picture, size, request);
      ++written;
    } catch (const Error& error) {
      list.rejections.push_back({picture.name, error.what()});
    }
  }
  const int code = report_rejections(list.rejections);
  if (written == 0) {
    throw Error(ErrorKind::bad_input, fmt::format("No image in {} could be used.", arguments.path));
  }
  return code;
}

int run_degrade(DegradeArguments arguments, const Context& context) {
  const Size size = parse_size(arguments.size);
  if (fs::is_directory(arguments.path)) return degrade_folder(arguments, size, context);
  arguments.request.seed = context.seed;
  const Picture picture = arguments.request.face || arguments.path == "-"
                              ? load_pictures({arguments.path}, Purpose::any).at(0)
                              : Picture::file(arguments.path);
  write_degraded(arguments.out, picture, size, arguments.request);
  return kDone;
}

}  // namespace

Action add_degrade(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<DegradeArguments>();
  CLI::App* command = add_command(
      app, "degrade", "Bring an image, or every image of a folder, to a low resolution.",
      "longshot degrade face.png --size 7x6 --out small.png");
  command->add_option("path", arguments->path, "Image (- on standard input), or folder of images")
      ->required();
  command->add_option("--size", arguments->size, "Rows x columns of the result")->required();
  command->add_option("--operator", arguments->request.op, "imresize, area, gauss or gauss:S")
      ->capture_default_str();
  command->add_option("--noise", arguments->request.noise, "Sensor noise, grey levels of 255")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 255.0));
  command->add_flag("--face", arguments->request.face,
                    "Cut out the faces first, by the eyes of a manifest or by detection");
  command->add_option("--detector", arguments->request.detector,
                      "YuNet model (.onnx); default: the system's Haar cascades");
  command->add_option("--out", arguments->out, "File, or folder for a folder")->required();
  return [arguments, &context] { return run_degrade(*arguments, context); };
}

}  // namespace longshot::cli
