// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "longshot/gallery.h"

#include "camera_text.h"
#include "clip_options.h"
#include "commands.h"
#include "face_options.h"
#include "key_options.h"
#include "terminal_progress.h"
#include "terminal_text.h"

namespace longshot::cli {
namespace {

constexpr std::ptrdiff_t kPicturedCandidates = 3;
constexpr std::size_t kMostReported = 200;  // more would make a page that no browser opens

struct IdentifyArguments {
  std::vector<std::string> paths;
  std::string gallery;
  KeyArguments key;
  IdentifyOptions options;
  std::string size = "auto";
  std::string fuse = "none";
  std::string faces = "largest";
  std::string camera = "auto";
  bool camera_asked = false;  // somebody said --camera
  std::string csv;
  bool csv_bom = false;
  std::string json;
  std::string report;
  std::string annotate;
  FaceArguments face;
  ClipOptions clip;
};

// Where on the picture, if that has several answers.
std::string label(const Answer& answer, Faces faces) {
  const std::string name = shown(answer.name);
  if (answer.track > 0) return fmt::format("{} track {} {:.1f} s", name, answer.track, answer.time);
  if (faces != Faces::all || !answer.face) return name;
  const Box& box = answer.face->box;
  return fmt::format("{} {:.0f},{:.0f}", name, box.x + 0.5 * box.width, box.y + 0.5 * box.height);
}

std::string to_table(const std::vector<Answer>& answers, Faces faces) {
  std::size_t width = 4;
  for (const Answer& answer : answers) width = std::max(width, label(answer, faces).size());
  std::string text = fmt::format("{:<{}}  {:<6} {:<8} {:>7} {:>8}  candidates\n", "path", width,
                                 "size", "decision", "margin", "ratio");
  for (const Answer& answer : answers) {
    if (!answer.error.empty()) {
      text += fmt::format("{:<{}}  {:<6} error    {}\n", label(answer, faces), width, "-",
                          shown(answer.error));
      continue;
    }
    text += fmt::format("{:<{}}  {:<6} {:<8} {:>+7.1f} {:>8.2g}", label(answer, faces), width,
                        to_string(answer.size), answer.known ? "known" : "unknown", answer.margin,
                        likelihood_ratio(answer.candidates.front().score));
    for (const Candidate& candidate : answer.candidates) {
      text += fmt::format("  {} {:.2f}", candidate.person, candidate.score);
    }
    text += "\n";
  }
  return text;
}

// What the scores of the table are worth.
std::string legend_of(const std::vector<Answer>& answers) {
  std::set<std::string> lines;
  for (const Answer& answer : answers) {
    if (!answer.error.empty()) continue;
    lines.insert(fmt::format(
        "{}: compared with {} people, known from score {:.2f} ({:g} % of strangers accepted)\n",
        to_string(answer.size), answer.people, answer.threshold, 100.0 * answer.fpir));
  }
  std::string text = "\n";
  for (const std::string& line : lines) text += line;
  return text +
         "score, after each name: probability that it is this person, if half of all probes showed "
         "strangers\n"
         "ratio: how much likelier the first name makes what was seen than a stranger does\n"
         "margin: powers of ten from where known begins to the ratio, below it negative\n"
         "calibrated on the people of the gallery, each left out in turn, and on synthetic ones "
         "where these\n"
         "are few; a known name is a candidate for a person to check, never proof\n";
}

std::string counts_of(const std::vector<Answer>& answers) {
  const auto failed =
      std::ranges::count_if(answers, [](const Answer& answer) { return !answer.error.empty(); });
  const auto known = std::ranges::count_if(
      answers, [](const Answer& answer) { return answer.error.empty() && answer.known; });
  return fmt::format("{}, {} known, {} unknown, {} without an answer",
                     counted(std::ssize(answers), "probe", "probes"), known,
                     std::ssize(answers) - known - failed, failed);
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

// The first so many answers, with pictures of why.
std::string report_of(Gallery& gallery, const std::vector<Picture>& probes, const Answers& result,
                      const IdentifyArguments& arguments, const Context& context) {
  std::vector<Evidence> evidence =
      gallery.evidence(probes, result, arguments.options, kPicturedCandidates,
                       TerminalProgress(context.quiet).callback());
  EvidenceText text{arguments.gallery, "", arguments.options.method, 0, {}};
  for (const std::string& word : context.arguments) {
    text.command += (text.command.empty() ? "" : " ") + word;
  }
  if (evidence.size() > kMostReported) {
    text.left_out = static_cast<std::ptrdiff_t>(evidence.size() - kMostReported);
    evidence.resize(kMostReported);
  }
  return to_html(evidence, result.cameras, text);
}

// To the files that were asked for, and otherwise to stdout.
void tell_answers(const Answers& result, const IdentifyArguments& arguments,
                  const Context& context) {
  const auto wrote = [&](const std::string& file) {
    if (!context.quiet) print_message(fmt::format("{}: {}", file, counts_of(result.answers)));
  };
  const std::string csv = (arguments.csv_bom ? "\xEF\xBB\xBF" : "") + to_csv(result);
  if (!arguments.csv.empty() && arguments.csv != "-") {
    write_file(arguments.csv, csv);
    wrote(arguments.csv);
  }
  if (!arguments.report.empty()) wrote(arguments.report);
  if (arguments.json == "-") return print_result(to_json(result));
  if (!arguments.json.empty()) {
    write_file(arguments.json, to_json(result));
    wrote(arguments.json);
  }
  if (arguments.csv == "-") return print_result(csv);
  if (arguments.csv.empty() && arguments.json.empty() && arguments.report.empty()) {
    print_result(to_table(result.answers, arguments.options.faces) + legend_of(result.answers));
  }
}

// Pictures of the answers. What of them fails leaves the answers as they are.
void draw(Gallery& gallery, const std::vector<Picture>& probes, const FollowedClips& clips,
          const IdentifyArguments& arguments, const Context& context, Answers& result,
          std::vector<Rejection>& rejections) {
  Annotated drawn = gallery.annotate(
      arguments.annotate, probes, clips.clips, result, arguments.options, arguments.clip,
      clips.stopped ? Progress() : TerminalProgress(context.quiet).callback());
  result = std::move(drawn.answers);
  rejections.insert(rejections.end(), drawn.rejections.begin(), drawn.rejections.end());
  if (context.quiet) return;
  print_message(fmt::format("{}: {} of the answers; they hold faces", arguments.annotate,
                            counted(std::ssize(drawn.files), "file", "files")));
}

// The stills' answers first, then those of the tracks of each clip.
void add_answers(const Answers& more, Answers& all) {
  all.answers.insert(all.answers.end(), more.answers.begin(), more.answers.end());
  all.cameras.insert(all.cameras.end(), more.cameras.begin(), more.cameras.end());
}

int run_identify(IdentifyArguments arguments, const Context& context) {
  IdentifyOptions& options = arguments.options;
  if (arguments.csv == "-" && arguments.json == "-") {
    throw Error(ErrorKind::bad_input, "--csv and --json cannot both go to standard output.");
  }
  if (arguments.size != "auto") options.size = parse_size(arguments.size);
  options.fuse_folders = arguments.fuse == "folder";
  options.faces = arguments.faces == "all" ? Faces::all : Faces::largest;
  options.learn_camera = arguments.camera == "auto";
  if (names_a_camera(arguments.camera)) options.camera = Camera::read(arguments.camera);
  options.detector = arguments.face.detector;
  arguments.clip.faces.detector = arguments.face.detector;
  const SplitPaths paths = split_clips(arguments.paths, arguments.fuse == "auto");
  if (paths.stills.empty() && !arguments.report.empty()) {
    throw Error(ErrorKind::bad_input, "--report shows stills, and only clips were named.");
  }
  if (!arguments.annotate.empty()) make_annotation_folder(arguments.annotate);
  std::vector<Picture> probes;
  if (!paths.stills.empty()) {
    probes = load_pictures(paths.stills, Purpose::identify, arguments.face);
  }
  Gallery gallery =
      Gallery::open(arguments.gallery, Access::write_if_possible, read_key(arguments.key));
  Answers result;
  if (!probes.empty()) {
    result = gallery.identify(probes, options, TerminalProgress(context.quiet).callback());
  }
  if (!arguments.report.empty()) {
    write_file(arguments.report, report_of(gallery, probes, result, arguments, context));
  }
  std::vector<Rejection> rejections = rejections_of(result.answers);
  const FollowedClips clips = follow_clips(paths.clips, arguments.clip, context);
  if (!clips.tracks.empty()) {
    // What the frames of a few people have in common may be theirs, not the camera's.
    IdentifyOptions of_tracks = options;
    of_tracks.learn_camera = options.learn_camera && arguments.camera_asked;
    // After Ctrl-C, too, what was found is answered.
    const Answers tracked = gallery.identify_tracks(
        clips.tracks, of_tracks,
        clips.stopped ? Progress() : TerminalProgress(context.quiet).callback());
    const std::vector<Rejection> unused = rejections_of(tracked.answers);
    rejections.insert(rejections.end(), unused.begin(), unused.end());
    add_answers(tracked, result);
  }
  rejections.insert(rejections.end(), clips.rejections.begin(), clips.rejections.end());
  if (std::all_of(result.answers.begin(), result.answers.end(),
                  [](const Answer& answer) { return !answer.error.empty(); })) {
    throw Error(ErrorKind::bad_input,
                fmt::format("None of {} probes could be used; the first, {}: {}",
                            probes.size() + paths.clips.size(), rejections.front().name,
                            rejections.front().reason));
  }
  if (!arguments.annotate.empty()) {
    draw(gallery, probes, clips, arguments, context, result, rejections);
  }
  tell_answers(result, arguments, context);
  if (options.learn_camera && !context.quiet) {
    report_cameras(result.cameras);
    if (arguments.camera_asked && result.cameras.empty()) print_message(kNoCamera);
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
                   "Folders, images (- on standard input), clips, manifests or .mat files")
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
  command
      ->add_option(
          "--fuse", a.fuse,
          "folder: one answer for all images of a folder; auto: folders of numbered images "
          "are clips")
      ->capture_default_str()
      ->check(CLI::IsMember({"none", "folder", "auto"}));
  command
      ->add_option("--faces", a.faces,
                   "Of an image whose eyes nobody states: largest, or all with an answer for each")
      ->capture_default_str()
      ->check(CLI::IsMember({"largest", "all"}));
  command
      ->add_option("--camera", a.camera,
                   "Camera file; auto: learnt from these probes, if they teach one; none")
      ->capture_default_str();
  command->add_option("--csv", a.csv,
                      "Write the answers as CSV, one line per candidate; - is stdout");
  command->add_flag("--csv-bom", a.csv_bom, "Begin the CSV with the mark that spreadsheets want");
  command->add_option("--report", a.report, "Write one HTML page that shows why; it holds faces");
  command->add_option(
      "--annotate", a.annotate,
      "New or empty folder for pictures and clips with boxes and names, and a sheet "
      "per track; they hold faces");
  add_json_option(*command, a.json, "the answers");
  add_face_options(*command, a.face);
  add_clip_options(*command, a.clip);
  command
      ->add_option("--least-eyes", a.clip.faces.least_eye_distance,
                   "Least pixels between the eyes of a face that is looked for in clips")
      ->capture_default_str();
  return [arguments, command, &context] {
    arguments->camera_asked = command->count("--camera") > 0;
    return run_identify(*arguments, context);
  };
}

}  // namespace longshot::cli
