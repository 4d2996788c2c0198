// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "longshot/gallery.h"

#include "commands.h"
#include "face_options.h"
#include "key_options.h"
#include "terminal_progress.h"
#include "terminal_text.h"

namespace longshot::cli {
namespace {

struct IdentifyArguments {
  std::vector<std::string> paths;
  std::string gallery;
  KeyArguments key;
  IdentifyOptions options;
  std::string size = "auto";
  std::string fuse = "none";
  std::string faces = "largest";
  std::string camera;
  std::string csv;
  std::string json;
  FaceArguments face;
};

// Where on the picture, if that has several answers.
std::string label(const Answer& answer, Faces faces) {
  const std::string name = shown(answer.name);
  if (faces != Faces::all || !answer.face) return name;
  const Box& box = answer.face->box;
  return fmt::format("{} {:.0f},{:.0f}", name, box.x + 0.5 * box.width, box.y + 0.5 * box.height);
}

std::string to_table(const std::vector<Answer>& answers, Faces faces) {
  std::size_t width = 4;
  for (const Answer& answer : answers) width = std::max(width, label(answer, faces).size());
  std::string text =
      fmt::format("{:<{}}  {:<6} {:<8} candidates\n", "path", width, "size", "decision");
  for (const Answer& answer : answers) {
    if (!answer.error.empty()) {
      text += fmt::format("{:<{}}  {:<6} error    {}\n", label(answer, faces), width, "-",
                          shown(answer.error));
      continue;
    }
    text += fmt::format("{:<{}}  {:<6} {:<8}", label(answer, faces), width, to_string(answer.size),
                        answer.known ? "known" : "unknown");
    for (const Candidate& candidate : answer.candidates) {
      text += fmt::format(" {} {:.2f} ", candidate.person, candidate.score);
    }
    while (text.back() == ' ') text.pop_back();
    text += "\n";
  }
  return text;
}

// Every image that gave no answer or was left out of one.
std::vector<Rejection> rejections_of(const std::vector<Answer>& answers) {
  std::vector<Rejection> rejections;
  for (const Answer& answer : answers) {
    rejections.insert(rejections.end(), answer.rejections.begin(), answer.rejections.end());
    if (answer.rejections.empty() && !answer.error.empty()) {
      rejections.push_back({answer.name, answer.error});
    }
  }
  return rejections;
}

int run_identify(IdentifyArguments arguments, const Context& context) {
  IdentifyOptions& options = arguments.options;
  if (arguments.size != "auto") options.size = parse_size(arguments.size);
  options.fuse_folders = arguments.fuse == "folder";
  options.faces = arguments.faces == "all" ? Faces::all : Faces::largest;
  options.learn_camera = arguments.camera == "auto";
  if (!arguments.camera.empty() && !options.learn_camera) {
    options.camera = Camera::read(arguments.camera);
  }
  options.detector = arguments.face.detector;
  const std::vector<Picture> probes =
      load_pictures(arguments.paths, Purpose::identify, arguments.face);
  Gallery gallery =
      Gallery::open(arguments.gallery, Access::write_if_possible, read_key(arguments.key));
  const Answers result =
      gallery.identify(probes, options, TerminalProgress(context.quiet).callback());
  const std::vector<Rejection> rejections = rejections_of(result.answers);
  if (std::all_of(result.answers.begin(), result.answers.end(),
                  [](const Answer& answer) { return !answer.error.empty(); })) {
    throw Error(ErrorKind::bad_input,
                fmt::format("None of {} probes could be used; the first, {}: {}", probes.size(),
                            rejections.front().name, rejections.front().reason));
  }
  if (!arguments.csv.empty()) write_file(arguments.csv, to_csv(result));
  if (!arguments.json.empty() && arguments.json != "-") {
    write_file(arguments.json, to_json(result));
  }
  if (arguments.json == "-") {
    print_result(to_json(result));
  } else if (arguments.csv.empty() && arguments.json.empty()) {
    print_result(to_table(result.answers, options.faces));
  }
  for (const Answer& answer : result.answers) report_warnings(answer.warnings);
  return report_rejections(rejections);
}

}  // namespace

Action add_identify(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<IdentifyArguments>();
  CLI::App* command =
      add_command(app, "identify", "Rank the people of a gallery for each probe, or say unknown.",
                  "longshot identify crops --gallery people.gallery --csv answers.csv");
  IdentifyArguments& a = *arguments;
  command
      ->add_option("path", a.paths,
                   "Folders, images (- on standard input), manifests or .mat files")
      ->required();
  command->add_option("--gallery", a.gallery, "The gallery file")->required();
  add_key_options(*command, a.key);
  command->add_option("--top", a.options.top, "Candidates to name")->capture_default_str();
  command->add_option("--method", a.options.method, "How to recognise")->capture_default_str();
  command->add_option("--size", a.size, "Rows x columns to search at; auto: what the probe fills")
      ->capture_default_str();
  command
      ->add_option("--fpir", a.options.fpir,
                   "Accepted fraction of strangers who are taken for somebody")
      ->capture_default_str();
  command->add_option("--fuse", a.fuse, "folder: one answer for all images of a folder")
      ->capture_default_str()
      ->check(CLI::IsMember({"none", "folder"}));
  command
      ->add_option("--faces", a.faces,
                   "Of an image whose eyes nobody states: largest, or all with an answer for each")
      ->capture_default_str()
      ->check(CLI::IsMember({"largest", "all"}));
  command->add_option("--camera", a.camera,
                      "Camera file, or auto: learnt from these probes first, without labels");
  command->add_option("--csv", a.csv, "Write the answers as CSV, one line per candidate");
  add_json_option(*command, a.json, "the answers");
  add_face_options(*command, a.face);
  return [arguments, &context] { return run_identify(*arguments, context); };
}

}  // namespace longshot::cli
