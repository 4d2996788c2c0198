// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/identifier.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include "longshot/camera/camera_fit.h"
#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/core/privacy.h"
#include "longshot/decide/days.h"
#include "longshot/decide/decision.h"
#include "longshot/decide/frame_gain.h"
#include "longshot/face/size_ladder.h"
#include "longshot/image/align.h"
#include "longshot/pipeline/camera_learner.h"
#include "longshot/pipeline/gallery_calibration.h"
#include "longshot/pipeline/gallery_damage.h"
#include "longshot/pipeline/gallery_setup.h"

namespace longshot {
namespace {

bool all_numbers(const std::vector<double>& values) {
  return std::ranges::none_of(values, [](double value) { return std::isnan(value); });
}

// The nearest people of each track, by their distances above a perfect match in units of what
// people who are not enrolled have on average; so they mean the same for one frame and for many.
Nearest nearest_of(const PeopleSearch& search, const MatrixRef& probes, const ProbeTracks& tracks,
                   double zero, Index top) {
  const bool fused = tracks.count != probes.cols();
  if (fused || !search.model().recognizer->has_independent_distances()) {
    return search.search_tracks(probes, tracks, zero, top);
  }
  Nearest nearest = search.search(probes, top);
  for (Index j = 0; j < tracks.count; ++j) {
    const double unit = std::max(nearest.background.col(j).mean() - zero, 1e-12);
    for (PersonDistance& person : nearest.people[static_cast<std::size_t>(j)]) {
      person.distance = (person.distance - zero) / unit;
    }
    nearest.background.col(j) = (nearest.background.col(j).array() - zero) / unit;
  }
  return nearest;
}

// Whether the probes are of the gallery's day, by the pixels of some of them.
Days days_of_probes(const PeopleSearch& search, Camera camera, const MatrixRef& probes) {
  camera.days = Days::kAsked;
  const Nearest nearest =
      search.for_camera(camera)->search(spread_columns(probes, kDaysProbes), kDaysNearest);
  const auto count = static_cast<Index>(nearest.people.front().size());
  Matrix distances(count, std::ssize(nearest.people));
  for (Index j = 0; j < distances.cols(); ++j) {
    for (Index k = 0; k < count; ++k) {
      distances(k, j) =
          nearest.people[static_cast<std::size_t>(j)][static_cast<std::size_t>(k)].distance;
    }
  }
  return days_of(distances);
}

// Those who are nearest to any of the probes, in order of id.
std::vector<Person> people_of(const GalleryPeople& people, const NearestPeople& nearest) {
  std::set<PersonId> ids;
  for (const std::vector<PersonDistance>& of_probe : nearest) {
    for (const PersonDistance& one : of_probe) ids.insert(one.person);
  }
  return people.with_ids({ids.begin(), ids.end()});
}

}  // namespace

void IdentifyOptions::check() const {
  make_recognizer(method);
  if (camera) camera->check();
  if (top < 1) throw Error("At least one candidate must be asked for, not {}.", top);
  if (!(fpir >= 0.0 && fpir <= 1.0)) {
    throw Error("A false positive identification rate must lie between 0 and 1, not {}.", fpir);
  }
}

Identifier::Identifier(std::shared_ptr<AskedGallery> gallery, const IdentifyOptions& options,
                       Progress& progress)
    : gallery_(std::move(gallery)),
      options_(options),
      progress_(progress),
      intake_(std::make_unique<FaceIntake>(
          intake_for(gallery_->ask()->people().common(), options.detector))),
      ladder_(size_ladder(intake_->options().high)) {
  options_.check();
  if (options_.size) check_probe_size(*options_.size, intake_->options().high);
}

Identifier::Identifier(const GalleryStore& gallery, const IdentifyOptions& options,
                       Progress& progress)
    : Identifier(std::make_shared<OpenGallery>(gallery.path()), options, progress) {}

// One answer per input or folder; `groups` are the inputs of each.
std::vector<Identification> Identifier::answers_for(
    const std::vector<Input>& inputs, std::vector<std::vector<std::size_t>>& groups) const {
  std::vector<Identification> answers;
  std::map<std::string, std::size_t> folders;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::string path = inputs[i].path;
    std::size_t group = groups.size();
    if (options_.fuse_folders) {
      path = std::filesystem::path(path).parent_path().string();
      if (path.empty()) path = ".";
      group = folders.try_emplace(path, group).first->second;
    }
    if (group == groups.size()) {
      groups.emplace_back();
      answers.emplace_back();
      answers.back().path = path;
      answers.back().frames = 0;
    }
    groups[group].push_back(i);
  }
  return answers;
}

void Identifier::choose_size(Track& track, Identification& answer) const {
  if (options_.size) {
    track.size = options_.size;
    return;
  }
  track.size = search_size(track.frames, ladder_);
  if (!track.size) answer.error = too_small(size_of(track.frames.front()), ladder_);
}

Identifier::SizedTracks Identifier::tracks_of_size(Size size, const std::vector<Track>& tracks) {
  SizedTracks sized;
  std::vector<double> weights;
  std::vector<Vector> columns;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (tracks[i].size != size) continue;
    const Track& track = tracks[i];
    for (std::size_t k = 0; k < track.frames.size(); ++k) {
      columns.emplace_back(at_size(track.frames[k], size).reshaped());
      sized.tracks.track.push_back(sized.tracks.count);
      weights.push_back(track.weights.empty() ? 1.0 : track.weights[k]);
    }
    sized.chosen.push_back(i);
    ++sized.tracks.count;
  }
  sized.tracks.weight = Eigen::Map<const Vector>(weights.data(), std::ssize(weights));
  sized.probes.resize(size.pixels(), std::ssize(columns));
  for (Index j = 0; j < sized.probes.cols(); ++j) {
    sized.probes.col(j) = columns[static_cast<std::size_t>(j)];
  }
  return sized;
}

void Identifier::answer_track(const std::vector<PersonDistance>& people, double background,
                              const Calibration& calibration, const std::vector<Person>& named,
                              const std::string& gallery_name, Identification& answer) const {
  std::vector<double> distances;
  for (const PersonDistance& person : people) distances.push_back(person.distance);
  const double line = calibration.known_above(options_.fpir);
  const Decision decision =
      decide(distances, background, calibration, 0.0, static_cast<std::size_t>(options_.top));
  if (!all_numbers(distances) || !all_numbers(decision.scores)) throw damaged(gallery_name);
  answer.known = is_known(decision, calibration, options_.fpir);
  answer.threshold = calibration.score(line);
  answer.margin = calibration.curve.slope * (decision.log_ratio - line) / std::numbers::ln10;
  answer.fpir = options_.fpir;
  for (std::size_t k = 0; k < decision.scores.size(); ++k) {
    const auto person = std::ranges::lower_bound(named, people[k].person, {}, &Person::id);
    if (person == named.end() ||
        person->id != people[k].person) {  // removed since the search began
      if (k == 0) answer.known = false;
      continue;
    }
    answer.candidates.push_back({person->name, decision.scores[k], distances[k]});
  }
}

void Identifier::identify_size(Size size, const std::vector<Track>& tracks,
                               Identifications& result) const {
  SizedTracks sized = tracks_of_size(size, tracks);
  const std::unique_ptr<Asking> asking = gallery_->ask();
  const GalleryPeople& enrolled = asking->people();
  std::optional<Camera> camera = options_.camera;
  if (!camera && options_.learn_camera) {
    camera = learn_camera(enrolled, size, sized.probes, progress_);
  }
  if (camera) camera->days = calibrated_days(enrolled.common(), camera->days);
  // A camera that was learnt from these probes is not likely to come back.
  const bool once = camera && camera->learnt && !options_.camera;
  Question question = asking->question(options_.method, size, camera, once, progress_);
  sized.probes = question.session->corrected(sized.probes, camera);
  const bool apart = question.session->model().recognizer->tells_days_apart();
  // Only of many faces: what one face looks like says nothing about the days of others.
  if (apart && camera && !options_.camera && camera->faces >= kFewestPeople) {
    camera->days = days_of_probes(*question.search, *camera, sized.probes);
    question.search = question.search->for_camera(camera);
  }
  if (camera) result.cameras.push_back(*camera);
  const Days days = apart && camera ? camera->days : Days::kUnknown;
  const Calibration calibration = asking->calibration(question, days, progress_);
  const Index top = std::max<Index>(2, options_.top);
  const Nearest nearest =
      nearest_of(*question.search, sized.probes, sized.tracks, calibration.zero, top);
  const Vector frames = equal_frames(sized.tracks);
  const std::vector<Person> named = people_of(enrolled, nearest.people);
  const Index count = enrolled.count();
  for (Index c = 0; c < sized.tracks.count; ++c) {
    const auto at = static_cast<std::size_t>(c);
    // Without a background nothing says how alike frames are: they count as one.
    std::optional<Calibration> fused;
    if (nearest.alike.size() > 0) {
      fused =
          calibration.for_frames(effective_frames(frames(c), nearest.alike(c), calibration.gain));
    }
    Identification& answer = result.answers[sized.chosen[at]];
    answer.size = size;
    answer.people = count;
    answer.coverage = enrolled.coverage();
    answer_track(nearest.people[at], nearest.nearest_background(c), fused ? *fused : calibration,
                 named, enrolled.name(), answer);
  }
}

std::vector<Input> Identifier::every_face(const std::vector<Input>& images) const {
  std::vector<std::vector<Input>> found(images.size());
  ProgressScope scope(progress_, "Finding faces", static_cast<Index>(images.size()));
  parallel_for(static_cast<Index>(images.size()), [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    found[at] = intake_->every_face(images[at]);
    scope.advance();
  });
  std::vector<Input> inputs;
  for (std::vector<Input>& faces : found) {
    for (Input& face : faces) inputs.push_back(std::move(face));
  }
  return inputs;
}

Identifications Identifier::identify(const std::vector<Input>& images) const {
  const std::vector<Input> inputs =
      options_.faces == WhichFaces::kAll ? every_face(images) : images;
  const auto count = static_cast<Index>(inputs.size());
  std::vector<std::optional<Probe>> probes(inputs.size());
  std::vector<std::string> problems(inputs.size());
  {
    ProgressScope scope(progress_, "Reading probes", count);
    parallel_for(count, [&](Index i) {
      const auto at = static_cast<std::size_t>(i);
      try {
        probes[at] = intake_->probe_of(inputs[at]);
      } catch (const Error& error) {
        problems[at] = error.what();
      }
      scope.advance();
    });
  }
  std::vector<std::vector<std::size_t>> groups;
  Identifications result;
  result.answers = answers_for(inputs, groups);
  std::vector<Identification>& answers = result.answers;
  std::vector<Track> tracks(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::size_t i : groups[g]) {
      if (probes[i]) {
        tracks[g].frames.push_back(std::move(probes[i]->image));
        if (!options_.fuse_folders) answers[g].face = probes[i]->found;
        if (probes[i]->damaged) answers[g].warnings.push_back({inputs[i].path, kDamagedPhoto});
      } else {
        answers[g].rejections.push_back({inputs[i].path, problems[i]});
      }
    }
    answers[g].frames = static_cast<Index>(tracks[g].frames.size());
    if (tracks[g].frames.empty()) {
      answers[g].error = answers[g].rejections.front().reason;
      continue;
    }
    choose_size(tracks[g], answers[g]);
  }
  identify_all(tracks, result);
  return result;
}

void Identifier::identify_all(const std::vector<Track>& tracks, Identifications& result) const {
  std::map<Index, Size> sizes;  // by pixels: the small ones first, which take least time
  for (const Track& track : tracks) {
    if (track.size) sizes[track.size->pixels()] = *track.size;
  }
  for (const auto& [pixels, size] : sizes) identify_size(size, tracks, result);
}

// The faces that weigh something, at their own sizes.
Identifier::Track Identifier::cut_out(const FaceTrack& track, Identification& answer) const {
  constexpr double kLeastWeight = 0.05;
  const IntakeOptions& options = intake_->options();
  Track cut;
  for (const TrackedFace& face : track.faces) {
    if (face.weight < kLeastWeight) continue;
    const Size own = size_of_face(face.eyes, options.frame);
    cut.frames.push_back(
        align_face(face.patch, face.eyes, options.frame,
                   {std::min(own.rows, options.high.rows), std::min(own.cols, options.high.cols)}));
    cut.weights.push_back(face.weight);
  }
  answer.frames = static_cast<Index>(cut.frames.size());
  return cut;
}

Identifications Identifier::identify_tracks(const std::vector<FaceTrack>& tracks) const {
  Identifications result;
  std::vector<Track> cut;
  for (const FaceTrack& track : tracks) {
    Identification& answer = result.answers.emplace_back();
    cut.push_back(cut_out(track, answer));
    if (cut.back().frames.empty()) {
      answer.error = "No face of this track shows enough.";
    } else {
      choose_size(cut.back(), answer);
    }
  }
  identify_all(cut, result);
  return result;
}

}  // namespace longshot
