// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include "longshot/core/error.h"
#include "longshot/image/degrade.h"
#include "longshot/image/image_io.h"

#include "commands.h"

namespace longshot::cli {
namespace {

namespace fs = std::filesystem;

struct DegradeArguments {
  std::string path;
  std::string size;
  std::string op = "imresize";
  double noise = 0.0;
  std::string out;
};

Image degraded(const fs::path& path, Size size, const DegradeArguments& arguments,
               std::uint64_t seed) {
  const Image small = degrade(read_image(path), size, parse_operator(arguments.op));
  return add_noise(small, arguments.noise / 255.0, seed, true);
}

// A folder of images becomes a folder of images of the same names.
int degrade_folder(const DegradeArguments& arguments, Size size, const Context& context) {
  Dataset faces = load_dataset(arguments.path);
  Index written = 0;
  ProgressScope progress(*context.progress, "Degrading", static_cast<Index>(faces.samples.size()));
  for (std::size_t i = 0; i < faces.samples.size(); ++i) {
    const fs::path& path = faces.samples[i].path;
    fs::path target = fs::path(arguments.out) / fs::relative(path, arguments.path);
    target.replace_extension(".png");
    try {
      const Image small = degraded(path, size, arguments, context.seed + i);
      fs::create_directories(target.parent_path());
      write_image(target, small);
      ++written;
    } catch (const Error& error) {
      faces.rejections.push_back({path.string(), error.what()});
    }
    progress.advance();
  }
  const int code = report_rejections(faces.rejections);
  if (written == 0) throw Error("No image in {} could be used.", arguments.path);
  return code;
}

int run_degrade(const DegradeArguments& arguments, const Context& context) {
  const Size size = parse_size(arguments.size);
  if (fs::is_directory(arguments.path)) return degrade_folder(arguments, size, context);
  write_image(arguments.out, degraded(arguments.path, size, arguments, context.seed));
  return kDone;
}

}  // namespace

Action add_degrade(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<DegradeArguments>();
  CLI::App* command = add_command(
      app, "degrade", "Bring an image, or every image of a folder, to a low resolution.",
      "longshot degrade face.png --size 7x6 --out small.png");
  command->add_option("path", arguments->path, "Image, or folder of images")->required();
  command->add_option("--size", arguments->size, "Rows x columns of the result")->required();
  command->add_option("--operator", arguments->op, "imresize, area, gauss or gauss:S")
      ->capture_default_str();
  command->add_option("--noise", arguments->noise, "Sensor noise, grey levels of 255")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 255.0));
  command->add_option("--out", arguments->out, "File, or folder for a folder")->required();
  return [arguments, &context] { return run_degrade(*arguments, context); };
}

}  // namespace longshot::cli
