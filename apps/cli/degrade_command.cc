// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <optional>

#include "longshot/core/error.h"
#include "longshot/dataset/face_reader.h"
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
  bool face = false;
  std::string detector;
  std::string out;
};

// `reader` cuts out the face first; null: the image as it is.
Image degraded(const Sample& sample, const std::optional<FaceFrame>& aligned, FaceReader* reader,
               Size size, const DegradeArguments& arguments, std::uint64_t seed) {
  const Image image =
      reader != nullptr ? reader->read(sample, aligned).image : read_image(sample.path);
  const Image small = degrade(image, size, parse_operator(arguments.op));
  return add_noise(small, arguments.noise / 255.0, seed, true);
}

// A folder of images becomes a folder of images of the same names.
int degrade_folder(const DegradeArguments& arguments, Size size, FaceReader* reader,
                   const Context& context) {
  Dataset faces = load_dataset(arguments.path);
  Index written = 0;
  ProgressScope progress(*context.progress, "Degrading", static_cast<Index>(faces.samples.size()));
  for (std::size_t i = 0; i < faces.samples.size(); ++i) {
    const fs::path& path = faces.samples[i].path;
    fs::path target = fs::path(arguments.out) / fs::relative(path, arguments.path);
    target.replace_extension(".png");
    try {
      const Image small =
          degraded(faces.samples[i], faces.aligned, reader, size, arguments, context.seed + i);
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
  std::unique_ptr<FaceReader> reader;
  if (arguments.face) {
    FaceReadOptions reading;
    reading.detector = arguments.detector;
    reader = std::make_unique<FaceReader>(reading);
  }
  if (fs::is_directory(arguments.path)) {
    return degrade_folder(arguments, size, reader.get(), context);
  }
  Dataset image;
  image.samples.emplace_back().path = arguments.path;
  if (arguments.face) image = load_dataset(arguments.path);
  write_image(arguments.out, degraded(image.samples[0], image.aligned, reader.get(), size,
                                      arguments, context.seed));
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
  command->add_flag("--face", arguments->face,
                    "Cut out the faces first, by the eyes of a manifest or by detection");
  command->add_option("--detector", arguments->detector,
                      "YuNet model (.onnx); default: the system's Haar cascades");
  command->add_option("--out", arguments->out, "File, or folder for a folder")->required();
  return [arguments, &context] { return run_degrade(*arguments, context); };
}

}  // namespace longshot::cli
