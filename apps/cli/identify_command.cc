// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "longshot/core/error.h"
#include "longshot/core/private_file.h"
#include "longshot/dataset/csv.h"
#include "longshot/pipeline/identifier.h"

#include "commands.h"
#include "face_options.h"
#include "terminal_text.h"

namespace longshot::cli {
namespace {

using Json = nlohmann::ordered_json;

struct IdentifyArguments {
  std::vector<std::string> paths;
  std::string gallery;
  IdentifyOptions options;
  std::string size = "auto";
  std::string fuse = "none";
  std::string camera;
  std::string csv;
  std::string json;
  FaceArguments face;
};

const char* decision(const Identification& answer) {
  return answer.known ? "known" : "unknown";
}

std::string to_json(const std::vector<Identification>& answers,
                    const std::vector<Camera>& cameras) {
  Json probes = Json::array();
  for (const Identification& answer : answers) {
    Json probe = {{"path", answer.path}};
    if (answer.error.empty()) {
      probe["size"] = to_string(answer.size);
      probe["decision"] = decision(answer);
    } else {
      probe["size"] = nullptr;
      probe["decision"] = nullptr;
    }
    probe["candidates"] = Json::array();
    for (const Candidate& candidate : answer.candidates) {
      probe["candidates"].push_back({{"person", candidate.person},
                                     {"score", std::round(candidate.score * 1e4) / 1e4},
                                     {"residual", candidate.residual}});
    }
    for (const Rejection& warning : answer.warnings) {
      probe["warnings"].push_back({{"path", warning.path}, {"reason", warning.reason}});
    }
    probe["error"] = answer.error.empty() ? Json(nullptr) : Json(answer.error);
    probes.push_back(std::move(probe));
  }
  Json document = {{"probes", probes}};
  for (const Camera& camera : cameras) {
    // The mean face is of no use to a reader.
    Camera figures = camera;
    figures.tone.resize(0);
    Json shown = Json::parse(encode_camera(figures));
    for (const char* name : {"format", "version", "tone"}) shown.erase(name);
    document["cameras"].push_back(std::move(shown));
  }
  // Names and paths need not be UTF-8.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// One line per candidate, or per error.
std::string to_csv(const std::vector<Identification>& answers) {
  std::string text = "path,size,decision,rank,person,score,residual,error\n";
  for (const Identification& answer : answers) {
    if (!answer.error.empty()) {
      text += fmt::format("{},,,,,,,{}\n", table_cell(answer.path), table_cell(answer.error));
    }
    for (std::size_t k = 0; k < answer.candidates.size(); ++k) {
      const Candidate& candidate = answer.candidates[k];
      text += fmt::format("{},{},{},{},{},{:.4f},{:.6g},\n", table_cell(answer.path),
                          to_string(answer.size), decision(answer), k + 1,
                          table_cell(candidate.person), candidate.score, candidate.residual);
    }
  }
  return text;
}

std::string to_table(const std::vector<Identification>& answers) {
  std::size_t width = 4;
  for (const Identification& answer : answers) width = std::max(width, shown(answer.path).size());
  std::string text =
      fmt::format("{:<{}}  {:<6} {:<8} candidates\n", "path", width, "size", "decision");
  for (const Identification& answer : answers) {
    if (!answer.error.empty()) {
      text += fmt::format("{:<{}}  {:<6} error    {}\n", shown(answer.path), width, "-",
                          shown(answer.error));
      continue;
    }
    text += fmt::format("{:<{}}  {:<6} {:<8}", shown(answer.path), width, to_string(answer.size),
                        decision(answer));
    for (const Candidate& candidate : answer.candidates) {
      text += fmt::format(" {} {:.2f} ", candidate.person, candidate.score);
    }
    while (text.back() == ' ') text.pop_back();
    text += "\n";
  }
  return text;
}

// Every image that gave no answer or was left out of one.
std::vector<Rejection> rejections_of(const std::vector<Identification>& answers) {
  std::vector<Rejection> rejections;
  for (const Identification& answer : answers) {
    rejections.insert(rejections.end(), answer.rejections.begin(), answer.rejections.end());
    if (answer.rejections.empty() && !answer.error.empty()) {
      rejections.push_back({answer.path, answer.error});
    }
  }
  return rejections;
}

int run_identify(IdentifyArguments arguments, Context& context) {
  IdentifyOptions& options = arguments.options;
  if (arguments.size != "auto") options.size = parse_size(arguments.size);
  options.fuse_folders = arguments.fuse == "folder";
  options.learn_camera = arguments.camera == "auto";
  if (!arguments.camera.empty() && !options.learn_camera) {
    options.camera = read_camera(arguments.camera);
  }
  options.detector = arguments.face.detector;
  options.check();
  const std::vector<Input> inputs =
      list_inputs(load_face_inputs(arguments.paths, arguments.face), Role::kProbe);
  const Identifier identifier(std::make_shared<OpenGallery>(arguments.gallery), options,
                              *context.progress);
  const Identifications result = identifier.identify(inputs);
  const std::vector<Identification>& answers = result.answers;
  const std::vector<Rejection> rejections = rejections_of(answers);
  if (std::all_of(answers.begin(), answers.end(),
                  [](const Identification& answer) { return !answer.error.empty(); })) {
    throw Error("None of {} probes could be used; the first, {}: {}", inputs.size(),
                rejections.front().path, rejections.front().reason);
  }
  if (!arguments.csv.empty()) write_private_file(arguments.csv, to_csv(answers));
  if (!arguments.json.empty() && arguments.json != "-") {
    write_private_file(arguments.json, to_json(answers, result.cameras));
  }
  if (arguments.json == "-") {
    print_result(to_json(answers, result.cameras));
  } else if (arguments.csv.empty() && arguments.json.empty()) {
    print_result(to_table(answers));
  }
  for (const Identification& answer : answers) report_warnings(answer.warnings);
  return report_rejections(rejections);
}

}  // namespace

Action add_identify(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<IdentifyArguments>();
  CLI::App* command =
      add_command(app, "identify", "Rank the people of a gallery for each probe, or say unknown.",
                  "longshot identify crops --gallery people.gallery --csv answers.csv");
  IdentifyArguments& a = *arguments;
  command->add_option("path", a.paths, "Folders, images, manifests or .mat files")->required();
  command->add_option("--gallery", a.gallery, "The gallery file")->required();
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
  command->add_option("--camera", a.camera,
                      "Camera file, or auto: learnt from these probes first, without labels");
  command->add_option("--csv", a.csv, "Write the answers as CSV, one line per candidate");
  command->add_option("--json", a.json, "Write the answers as JSON to FILE, or to stdout")
      ->expected(0, 1)
      ->default_str("-");
  add_face_options(*command, a.face);
  return [arguments, &context] { return run_identify(*arguments, context); };
}

}  // namespace longshot::cli
