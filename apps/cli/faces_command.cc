// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "longshot/faces.h"

#include "clip_options.h"
#include "commands.h"
#include "face_options.h"
#include "terminal_progress.h"

namespace longshot::cli {
namespace {

namespace fs = std::filesystem;

struct FacesArguments {
  std::vector<std::string> paths;
  std::string out;
  FaceOptions options;
  ClipOptions clip;
};

struct FacesFound {
  std::string manifest;
  std::ptrdiff_t faces = 0;
  std::ptrdiff_t pictures = 0;  // that were looked at
  std::ptrdiff_t without = 0;   // a face, of those
  std::size_t tracks = 0;       // of all clips
  std::vector<Rejection> rejections;
};

constexpr const char* kManifestHeader =
    "path,subject,left_eye_x,left_eye_y,right_eye_x,right_eye_y,source,frame,time,track,"
    "source_left_eye_x,source_left_eye_y,source_right_eye_x,source_right_eye_y,eye_error,quality\n";

std::string numbers(const Eyes& eyes) {
  return fmt::format("{:.2f},{:.2f},{:.2f},{:.2f}", eyes.left.x, eyes.left.y, eyes.right.x,
                     eyes.right.y);
}

// A cell of the manifest: in quotation marks where it must be.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + "\"";
}

// Writes the faces of one picture and their lines. A still has one frame, and neither time nor
// track.
void cut_out(const Picture& picture, const FacesArguments& arguments, FacesFound& found) {
  const std::vector<FoundFace> faces = find_faces(picture, arguments.options);
  found.without += faces.empty() ? 1 : 0;
  if (faces.empty()) return;
  const std::vector<Plane> crops = cut_out_faces(picture, faces);
  const std::string stem = fs::path(picture.name).stem().string();
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const std::string name = fmt::format("{:06}_{}_{}.png", found.pictures, stem, i + 1);
    write_plane(fs::path(arguments.out) / name, crops[i]);
    found.manifest += fmt::format("{},,{},{},0,,,{},{:.4f},{:.4f}\n", cell(name),
                                  numbers(eyes_in_crop(crops[i].size)), cell(picture.name),
                                  numbers(faces[i].eyes), faces[i].eye_error, faces[i].quality);
    ++found.faces;
  }
}

// The same of a track: all its faces, with frame, time and the track's number.
void cut_out(const Track& track, const FacesArguments& arguments, FacesFound& found) {
  const std::vector<Plane> crops = track.crops();
  const std::string stem = fs::path(track.source).stem().string();
  for (std::size_t i = 0; i < crops.size(); ++i) {
    const TrackFace& one = track.faces[i];
    const std::string name = fmt::format("{}_track{:03}_{:06}.png", stem, track.number, one.frame);
    write_plane(fs::path(arguments.out) / name, crops[i]);
    found.manifest +=
        fmt::format("{},,{},{},{},{:.3f},{},{},{:.4f},{:.4f}\n", cell(name),
                    numbers(eyes_in_crop(crops[i].size)), cell(track.source), one.frame, one.time,
                    track.number, numbers(one.face.eyes), one.face.eye_error, one.face.quality);
    ++found.faces;
  }
}

// Of all clips; true if the user let it come to its end.
bool cut_out_clips(const std::vector<std::string>& clips, const FacesArguments& arguments,
                   const Context& context, FacesFound& found) {
  ClipOptions options = arguments.clip;
  options.faces.detector = arguments.options.detector;
  // Clips have a coarser default, unless it was changed for both.
  const double least = arguments.options.least_eye_distance;
  if (least != FaceOptions().least_eye_distance) options.faces.least_eye_distance = least;
  const FollowedClips followed = follow_clips(clips, options, context);
  for (const Track& track : followed.tracks) cut_out(track, arguments, found);
  found.tracks = followed.tracks.size();
  found.rejections.insert(found.rejections.end(), followed.rejections.begin(),
                          followed.rejections.end());
  return !followed.stopped;
}

std::string sources_of(const FacesFound& found) {
  const std::string tracks = fmt::format("{} tracks", found.tracks);
  if (found.pictures == 0) return tracks;
  const std::string pictures =
      fmt::format("{} pictures, {} of which show none", found.pictures, found.without);
  return found.tracks == 0 ? pictures : tracks + " and " + pictures;
}

int run_faces(const FacesArguments& arguments, const Context& context) {
  const SplitPaths paths = split_clips(arguments.paths);
  std::vector<Picture> pictures;
  if (!paths.stills.empty()) pictures = load_pictures(paths.stills, Purpose::any);
  fs::create_directories(arguments.out);
  FacesFound found;
  found.manifest = kManifestHeader;
  TerminalProgress terminal(context.quiet);
  const Progress progress = terminal.callback();
  const auto total = static_cast<std::ptrdiff_t>(pictures.size());
  bool wanted = progress("Finding faces", 0, total);
  for (std::ptrdiff_t i = 0; wanted && i < total; ++i) {
    const Picture& picture = pictures[static_cast<std::size_t>(i)];
    try {
      cut_out(picture, arguments, found);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::no_space) throw;
      found.rejections.push_back({picture.name, error.what()});
    }
    ++found.pictures;
    wanted = progress("Finding faces", i + 1, total);
  }
  wanted = wanted && cut_out_clips(paths.clips, arguments, context, found);
  const fs::path manifest = fs::path(arguments.out) / "manifest.csv";
  if (found.faces == 0 && wanted) {
    const std::string first =
        found.rejections.empty()
            ? "try --least-eyes for smaller ones, or a YuNet model (--detector)."
            : fmt::format("{}: {}", found.rejections[0].name, found.rejections[0].reason);
    throw Error(ErrorKind::bad_input,
                fmt::format("No face was found in {} pictures and {} clips; {}", total,
                            paths.clips.size(), first));
  }
  write_file(manifest, found.manifest);
  const int told = after_change([&] {
    print_result(
        fmt::format("{} faces of {}, in {}\n", found.faces, sources_of(found), manifest.string()));
  });
  if (!wanted) {
    found.rejections.push_back(
        {arguments.out, fmt::format("Stopped after {} of {} pictures.", found.pictures, total)});
  }
  return std::max(told, report_rejections(found.rejections));
}

}  // namespace

Action add_faces(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<FacesArguments>();
  CLI::App* command =
      add_command(app, "faces", "Find all faces of photos and clips, and cut them out.",
                  "longshot faces frames --out faces");
  FacesArguments& a = *arguments;
  command->add_option("path", a.paths, "Folders, images, clips or manifests")->required();
  command->add_option("--out", a.out, "Folder for the crops and manifest.csv")->required();
  command
      ->add_option("--least-eyes", a.options.least_eye_distance,
                   "Least pixels between the eyes of a face that is looked for")
      ->capture_default_str();
  command->add_option("--detector", a.options.detector,
                      "YuNet model (.onnx); default: the system's Haar cascades");
  add_clip_options(*command, a.clip);
  return [arguments, &context] { return run_faces(*arguments, context); };
}

}  // namespace longshot::cli
