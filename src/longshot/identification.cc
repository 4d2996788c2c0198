// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "longshot/audit_door.h"
#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/gallery_implementation.h"
#include "longshot/pipeline/identifier.h"
#include "longshot/track_value.h"

namespace longshot {
namespace {

longshot::IdentifyOptions inner_options(const v0::IdentifyOptions& options) {
  longshot::IdentifyOptions inner;
  inner.method = options.method;
  inner.size = door::inner(options.size);
  inner.top = options.top;
  inner.fpir = options.fpir;
  inner.fuse_folders = options.fuse_folders;
  inner.faces = options.faces == v0::Faces::all ? WhichFaces::kAll : WhichFaces::kMain;
  inner.camera = door::inner(options.camera);
  inner.learn_camera = options.learn_camera;
  inner.detector = options.detector;
  return inner;
}

v0::Answer outer_answer(const Identification& answer) {
  v0::Answer shown;
  shown.name = answer.path;
  shown.size = door::outer(answer.size);
  shown.known = answer.known;
  for (const longshot::Candidate& one : answer.candidates) {
    shown.candidates.push_back({one.person, one.score, one.residual});
  }
  shown.threshold = answer.threshold;
  shown.margin = answer.margin;
  shown.fpir = answer.fpir;
  shown.people = answer.people;
  shown.coverage = answer.coverage;
  shown.error = answer.error;
  shown.frames = answer.frames;
  if (answer.face) shown.face = door::outer(*answer.face);
  shown.rejections = door::outer(answer.rejections);
  shown.warnings = door::outer(answer.warnings);
  return shown;
}

v0::Answers outer_answers(const Identifications& found) {
  v0::Answers result;
  for (const Identification& answer : found.answers) {
    result.answers.push_back(outer_answer(answer));
  }
  for (const longshot::Camera& camera : found.cameras) {
    result.cameras.push_back(door::outer(camera));
  }
  return result;
}

// Where the answer comes from: the face that weighs most.
void place(const v0::Track& track, v0::Answer& answer) {
  answer.name = track.source;
  answer.track = track.number;
  const auto best = std::ranges::max_element(track.faces, {}, &v0::TrackFace::weight);
  if (best == track.faces.end()) return;
  answer.face = best->face;
  answer.frame = best->frame;
  answer.time = best->time;
}

// Whom the answers name, and the camera that they rest on.
AuditAct identifying_act(const v0::Answers& result, const v0::IdentifyOptions& options) {
  AuditAct act = door::act_of("identify");
  for (const v0::Answer& answer : result.answers) {
    if (answer.known) act.people.push_back(answer.candidates.front().person);
  }
  std::ranges::sort(act.people);
  act.people.erase(std::unique(act.people.begin(), act.people.end()), act.people.end());
  act.details = {{"answers", fmt::format("{}", result.answers.size())}};
  door::note_camera(act, options.camera, result.cameras);
  return act;
}

// The files that tracks come from, each once: clips, or the frames of folders.
std::vector<v0::Picture> files_of(const std::vector<v0::Track>& tracks) {
  std::set<std::filesystem::path> files;
  for (const v0::Track& track : tracks) {
    if (!std::filesystem::is_directory(track.source)) {
      files.insert(track.source);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(track.source)) {
      files.insert(entry.path());
    }
  }
  std::vector<v0::Picture> pictures;
  for (const std::filesystem::path& file : files) pictures.push_back(v0::Picture::file(file));
  return pictures;
}

}  // namespace

namespace v0 {

Answers Gallery::identify(const std::vector<Picture>& probes, const IdentifyOptions& options,
                          const Progress& progress) {
  Implementation& own = use();
  const auto work = [&](const std::shared_ptr<AskedGallery>& gallery, longshot::Progress& shown) {
    const Identifier identifier(gallery, inner_options(options), shown);
    Answers result = outer_answers(identifier.identify(door::inputs_of(probes)));
    own.note_question([&](const AuditKeys& keys) {
      return door::with_inputs(keys, identifying_act(result, options), probes);
    });
    return result;
  };
  return own.ask(work, progress);
}

Answers Gallery::identify_tracks(const std::vector<Track>& tracks, const IdentifyOptions& options,
                                 const Progress& progress) {
  Implementation& own = use();
  const auto work = [&](const std::shared_ptr<AskedGallery>& gallery, longshot::Progress& shown) {
    std::vector<FaceTrack> inner;
    for (const Track& track : tracks) {
      inner.push_back(track.value ? track.value->track : FaceTrack());
    }
    const Identifier identifier(gallery, inner_options(options), shown);
    Answers result = outer_answers(identifier.identify_tracks(inner));
    for (std::size_t i = 0; i < tracks.size(); ++i) place(tracks[i], result.answers[i]);
    own.note_question([&](const AuditKeys& keys) {
      return door::with_inputs(keys, identifying_act(result, options), files_of(tracks));
    });
    return result;
  };
  return own.ask(work, progress);
}

}  // namespace v0
}  // namespace longshot
