// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "longshot/core/error.h"
#include "longshot/core/private_file.h"
#include "longshot/image/image_io.h"
#include "longshot/pipeline/camera_learner.h"

#include "commands.h"
#include "face_options.h"

namespace longshot::cli {
namespace {

struct CameraArguments {
  std::vector<std::string> paths;
  std::string gallery;
  std::string out;
  std::string size = "auto";
  std::string json;
  FaceArguments face;
};

std::string to_text(const CameraReport& report) {
  const Camera& camera = report.camera;
  std::string text = fmt::format("{} crops at {}\n", camera.crops, to_string(camera.size));
  if (report.other_sizes > 0) {
    text += fmt::format("{} crops of other sizes were left out\n", report.other_sizes);
  }
  if (!camera.learnt) {
    return text + fmt::format(
                      "They say too little against the gallery's own operator, {}, "
                      "which stays.\n",
                      to_string(camera.op));
  }
  const CameraError& error = camera.error;
  const auto line = [&](const char* name, double value, double deviation, const char* unit) {
    text += fmt::format("{:<22} {:>7.2f} +- {:.2f} {}\n", name, value, deviation, unit);
  };
  const Registration& place = camera.registration;
  line("shift to the right", 100.0 * place.dx, 100.0 * error.shift, "% of the width");
  line("shift down", 100.0 * place.dy, 100.0 * error.shift, "% of the height");
  line("larger in width", 100.0 * std::expm1(place.log_x), 100.0 * error.log_scale, "%");
  line("larger in height", 100.0 * std::expm1(place.log_y), 100.0 * error.log_scale, "%");
  line("blur", camera.op.blur_factor, camera.op.blur_factor * error.log_blur, "pixels");
  line("gamma", camera.gamma, camera.gamma * error.log_gamma, "");
  text += fmt::format("{:<22} {:>7.1f} of 255\n", "black level", 255.0 * camera.black);
  text += fmt::format("{:<22} {:>7.1f} % of the mean brightness\n", "noise", 100.0 * camera.noise);
  if (camera.tone.size() == 0) {
    text += "Too few crops or enrolled people to keep a mean face.\n";
  }
  return text;
}

int run_camera(const CameraArguments& arguments, Context& context) {
  CameraLearnOptions options;
  if (arguments.size != "auto") options.size = parse_size(arguments.size);
  options.detector = arguments.face.detector;
  const std::vector<Input> inputs =
      list_inputs(load_face_inputs(arguments.paths, arguments.face), Role::kProbe);
  const GalleryStore gallery(arguments.gallery, GalleryStore::Access::kRead);
  const CameraReport report = learn_camera_of(gallery, inputs, options, *context.progress);
  write_camera(arguments.out, report.camera);
  write_private_file(std::filesystem::path(arguments.out).replace_extension(".png"),
                     encode_image(camera_sheet(report), ".png"));
  const int told = after_change([&] {
    if (arguments.json == "-") return print_result(encode_camera(report.camera));
    if (!arguments.json.empty()) write_private_file(arguments.json, encode_camera(report.camera));
    print_result(to_text(report));
  });
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
  command->add_option("--out", a.out, "The camera file; a picture is written beside it (.png)")
      ->required();
  command->add_option("--size", a.size, "Rows x columns of the crops; auto: what most of them fill")
      ->capture_default_str();
  command->add_option("--json", a.json, "Write the camera as JSON to FILE, or to stdout")
      ->expected(0, 1)
      ->default_str("-");
  add_face_options(*command, a.face);
  return [arguments, &context] { return run_camera(*arguments, context); };
}

}  // namespace longshot::cli
