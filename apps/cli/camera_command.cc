// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "longshot/gallery.h"

#include "commands.h"
#include "face_options.h"
#include "key_options.h"
#include "terminal_progress.h"

namespace longshot::cli {
namespace {

struct CameraArguments {
  std::vector<std::string> paths;
  std::string gallery;
  KeyArguments key;
  std::string out;
  std::string size = "auto";
  std::string json;
  FaceArguments face;
};

std::string to_text(const CameraReport& report) {
  const Camera& camera = report.camera;
  const CameraFigures figures = camera.figures();
  std::string text = fmt::format("{} crops at {}\n", camera.crops(), to_string(camera.size()));
  if (report.other_sizes > 0) {
    text += fmt::format("{} crops of other sizes were left out\n", report.other_sizes);
  }
  const std::string centred =
      figures.faces > 0
          ? fmt::format("Answers are centred on {} different faces.\n", figures.faces)
          : "They show too few different faces, or too few are enrolled, to centre answers.\n";
  if (!camera.learnt()) {
    return text +
           fmt::format("They say too little against the gallery's own operator, {}, which stays.\n",
                       figures.op) +
           centred;
  }
  const auto line = [&](const char* name, Measured figure, double scale, const char* unit) {
    text += fmt::format("{:<22} {:>7.2f} +- {:.2f} {}\n", name, scale * figure.value,
                        scale * figure.deviation, unit);
  };
  line("shift to the right", figures.right, 100.0, "% of the width");
  line("shift down", figures.down, 100.0, "% of the height");
  line("larger in width", figures.wider, 100.0, "%");
  line("larger in height", figures.taller, 100.0, "%");
  line("blur", figures.blur, 1.0, "pixels");
  text += fmt::format("{:<22} {:>7.1f} % of the mean brightness\n", "noise", 100.0 * figures.noise);
  if (!figures.mean_face) text += "Too few crops or enrolled people to keep a mean face.\n";
  return text + centred;
}

int run_camera(const CameraArguments& arguments, const Context& context) {
  CameraOptions options;
  if (arguments.size != "auto") options.size = parse_size(arguments.size);
  options.detector = arguments.face.detector;
  const std::vector<Picture> crops =
      load_pictures(arguments.paths, Purpose::identify, arguments.face);
  Gallery gallery = Gallery::open(arguments.gallery, Access::read, read_key(arguments.key));
  const CameraReport report =
      gallery.learn_camera(crops, options, TerminalProgress(context.quiet).callback());
  report.camera.write(arguments.out);
  write_plane(std::filesystem::path(arguments.out).replace_extension(".png"), report.sheet);
  const int told =
      after_change([&] { deliver(to_text(report), report.camera.json(), arguments.json); });
  return std::max(told, report_rejections(report.rejections));
}

}  // namespace

Action add_camera(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<CameraArguments>();
  CLI::App* command =
      add_command(app, "camera", "Learn a camera from its own crops, of whomever they show.",
                  "longshot camera crops --gallery people.gallery --out gate.camera");
  CameraArguments& a = *arguments;
  command->add_option("path", a.paths, "Folders, images, manifests or .mat files")->required();
  command->add_option("--gallery", a.gallery, "The gallery file to compare with")->required();
  add_key_options(*command, a.key);
  command->add_option("--out", a.out, "The camera file; a picture is written beside it (.png)")
      ->required();
  command->add_option("--size", a.size, "Rows x columns of the crops; auto: what most of them fill")
      ->capture_default_str();
  add_json_option(*command, a.json, "the camera");
  add_face_options(*command, a.face);
  return [arguments, &context] { return run_camera(*arguments, context); };
}

}  // namespace longshot::cli
