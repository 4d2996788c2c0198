// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "longshot/gallery.h"

#include "camera_text.h"
#include "commands.h"
#include "face_options.h"
#include "key_options.h"
#include "terminal_progress.h"
#include "terminal_text.h"

namespace longshot::cli {
namespace {

struct VerifyArguments {
  std::string path;
  std::string person;
  std::string gallery;
  KeyArguments key;
  VerifyOptions options;
  std::string size = "auto";
  std::string camera;
  std::string json;
  FaceArguments face;
};

// Nothing where there are too few images to learn from, which is said.
std::optional<Camera> learn_camera_of(Gallery& gallery, const std::vector<Picture>& pictures,
                                      const VerifyOptions& options, const Context& context) {
  if (std::ssize(pictures) < kEnoughCrops) {
    if (!context.quiet) {
      print_message(fmt::format("a camera cannot be learnt from {}, {} are needed: none is used",
                                counted(std::ssize(pictures), "image", "images"), kEnoughCrops));
    }
    return std::nullopt;
  }
  CameraOptions learning;
  learning.size = options.size;
  learning.detector = options.detector;
  const Camera camera =
      gallery.learn_camera(pictures, learning, TerminalProgress(context.quiet).callback()).camera;
  if (!context.quiet) report_cameras({camera});
  return camera;
}

int run_verify(VerifyArguments arguments, const Context& context) {
  VerifyOptions& options = arguments.options;
  if (arguments.size != "auto") options.size = parse_size(arguments.size);
  if (names_a_camera(arguments.camera)) options.camera = Camera::read(arguments.camera);
  options.detector = arguments.face.detector;
  const std::vector<Picture> pictures =
      load_pictures({arguments.path}, Purpose::identify, arguments.face);
  Gallery gallery =
      Gallery::open(arguments.gallery, Access::write_if_possible, read_key(arguments.key));
  if (arguments.camera == "auto") {
    options.camera = learn_camera_of(gallery, pictures, options, context);
  }
  const Verification result = gallery.verify(pictures, arguments.person, options,
                                             TerminalProgress(context.quiet).callback());
  deliver(fmt::format("{}: {} (score {:.2f}, match from {:.2f}, margin {:+.1f}, likelihood ratio "
                      "{:.2g}, at {})\n",
                      result.match ? "match" : "no match", result.person, result.score,
                      result.threshold, result.margin, likelihood_ratio(result.score),
                      to_string(result.size)),
          to_json(result), arguments.json);
  report_warnings(result.warnings);
  const int reported = report_rejections(result.rejections);
  return result.match ? reported : kNoMatch;
}

}  // namespace

Action add_verify(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* command = add_command(
      app, "verify", "Say whether an image, or all images of a folder, show a certain person.",
      "longshot verify crop.png --person anna --gallery people.gallery");
  VerifyArguments& a = *arguments;
  command
      ->add_option("path", a.path, "Image (- on standard input), or folder of images of one person")
      ->required();
  command->add_option("--person", a.person, "Who it is said to be")->required();
  command->add_option("--gallery", a.gallery, "The gallery file")->required();
  add_key_options(*command, a.key);
  command->add_option("--method", a.options.method, "How to recognise")->capture_default_str();
  command->add_option("--size", a.size, "Rows x columns to compare at; auto: what the probe fills")
      ->capture_default_str();
  command->add_option("--fmr", a.options.fmr, "Accepted fraction of false matches")
      ->capture_default_str();
  command->add_option("--camera", a.camera,
                      "Camera file; auto: learnt from these images, if they are many; none");
  add_json_option(*command, a.json, "the answer");
  add_face_options(*command, a.face);
  return [arguments, &context] { return run_verify(*arguments, context); };
}

}  // namespace longshot::cli
