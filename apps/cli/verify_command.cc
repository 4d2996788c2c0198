// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "longshot/core/private_file.h"
#include "longshot/pipeline/verifier.h"

#include "commands.h"
#include "face_options.h"

namespace longshot::cli {
namespace {

struct VerifyArguments {
  std::string path;
  std::string person;
  std::string gallery;
  VerifyOptions options;
  std::string size = "auto";
  std::string camera;
  std::string json;
  FaceArguments face;
};

int run_verify(VerifyArguments arguments, Context& context) {
  VerifyOptions& options = arguments.options;
  if (arguments.size != "auto") options.size = parse_size(arguments.size);
  if (!arguments.camera.empty()) options.camera = read_camera(arguments.camera);
  options.detector = arguments.face.detector;
  options.check();
  const std::vector<Input> inputs =
      list_inputs(load_face_inputs({arguments.path}, arguments.face), Role::kProbe);
  const Verifier verifier(std::make_shared<OpenGallery>(arguments.gallery), options,
                          *context.progress);
  const Verification result = verifier.verify(inputs, arguments.person);
  const char* decision = result.match ? "match" : "no match";
  const nlohmann::ordered_json document = {{"person", result.person},
                                           {"decision", decision},
                                           {"score", std::round(result.score * 1e4) / 1e4},
                                           {"size", to_string(result.size)}};
  const std::string json = document.dump(2) + "\n";
  if (arguments.json == "-") {
    print_result(json);
  } else {
    if (!arguments.json.empty()) write_private_file(arguments.json, json);
    print_result(fmt::format("{}: {} (score {:.2f}, at {})\n", decision, result.person,
                             result.score, to_string(result.size)));
  }
  report_warnings(result.warnings);
  return report_rejections(result.rejections);
}

}  // namespace

Action add_verify(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* command = add_command(
      app, "verify", "Say whether an image, or all images of a folder, show a certain person.",
      "longshot verify crop.png --person anna --gallery people.gallery");
  VerifyArguments& a = *arguments;
  command->add_option("path", a.path, "Image, or folder of images of one person")->required();
  command->add_option("--person", a.person, "Who it is said to be")->required();
  command->add_option("--gallery", a.gallery, "The gallery file")->required();
  command->add_option("--method", a.options.method, "How to recognise")->capture_default_str();
  command->add_option("--size", a.size, "Rows x columns to compare at; auto: what the probe fills")
      ->capture_default_str();
  command->add_option("--fmr", a.options.fmr, "Accepted fraction of false matches")
      ->capture_default_str();
  command->add_option("--camera", a.camera, "Camera file of \"longshot camera\"");
  command->add_option("--json", a.json, "Write the answer as JSON to FILE, or to stdout")
      ->expected(0, 1)
      ->default_str("-");
  add_face_options(*command, a.face);
  return [arguments, &context] { return run_verify(*arguments, context); };
}

}  // namespace longshot::cli
