// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/verifier.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/face/size_ladder.h"
#include "longshot/pipeline/gallery_calibration.h"
#include "longshot/pipeline/gallery_damage.h"
#include "longshot/pipeline/gallery_setup.h"

namespace longshot {
namespace {

// The claimed person first, then those who stand for the others.
std::vector<PersonId> panel_with(const GalleryPeople& people, PersonId person) {
  std::vector<PersonId> panel = some_people(people, kPanel);
  std::erase(panel, person);
  panel.insert(panel.begin(), person);
  return panel;
}

// The log ratio of the first row against the others, over all probes: distances above the zero, in
// units of the mean over the others.
double claim_ratio(const Matrix& distances, double zero) {
  Matrix above = distances.array() - zero;
  const Index others = above.rows() - 1;
  for (auto column : above.colwise()) column /= std::max(column.tail(others).mean(), 1e-12);
  const Vector mean = above.rowwise().mean();
  return log_ratio(mean(0), mean.tail(others).minCoeff(), 0.0);
}

}  // namespace

void VerifyOptions::check() const {
  make_recognizer(method);
  if (!(fmr >= 0.0 && fmr <= 1.0)) {
    throw Error("A false match rate must lie between 0 and 1, not {}.", fmr);
  }
}

Verifier::Verifier(std::shared_ptr<AskedGallery> gallery, const VerifyOptions& options,
                   Progress& progress)
    : gallery_(std::move(gallery)),
      options_(options),
      progress_(progress),
      intake_(std::make_unique<FaceIntake>(
          intake_for(gallery_->ask()->people().common(), options.detector))) {
  options_.check();
  if (options_.size) check_probe_size(*options_.size, intake_->options().high);
}

Verifier::Verifier(const GalleryStore& gallery, const VerifyOptions& options, Progress& progress)
    : Verifier(std::make_shared<OpenGallery>(gallery.path()), options, progress) {}

Size Verifier::size_for(const std::vector<Image>& faces) const {
  if (options_.size) return *options_.size;
  const std::vector<Size> ladder = size_ladder(intake_->options().high);
  const std::optional<Size> size = search_size(faces, ladder);
  if (!size) throw Error("{}", too_small(size_of(faces.front()), ladder));
  return *size;
}

Verification Verifier::verify(const std::vector<Input>& inputs, const std::string& person) const {
  const std::unique_ptr<Asking> asking = gallery_->ask();
  const GalleryPeople& people = asking->people();
  const std::optional<Person> claimed = people.find(person);
  if (!claimed) {
    throw Error(ErrorKind::not_found, "Nobody called \"{}\" is enrolled in {}.", person,
                people.name());
  }
  Verification result;
  result.person = person;
  std::vector<Image> faces;
  for (const Input& input : inputs) {
    try {
      Probe probe = intake_->probe_of(input);
      faces.push_back(std::move(probe.image));
      if (probe.damaged) result.warnings.push_back({input.path, kDamagedPhoto});
    } catch (const Error& error) {
      result.rejections.push_back({input.path, error.what()});
    }
  }
  if (faces.empty()) {
    if (result.rejections.empty()) throw Error("No image was given.");
    throw Error("{}: {}", result.rejections[0].path, result.rejections[0].reason);
  }
  result.size = size_for(faces);
  result.frames = static_cast<Index>(faces.size());
  Matrix probes(result.size.pixels(), result.frames);
  for (std::size_t j = 0; j < faces.size(); ++j) {
    probes.col(static_cast<Index>(j)) = at_size(faces[j], result.size).reshaped();
  }
  std::optional<Camera> camera = options_.camera;
  if (camera) camera->days = calibrated_days(people.common(), camera->days);
  const Question question =
      asking->question(options_.method, result.size, camera, false, progress_);
  const bool apart = camera && question.session->model().recognizer->tells_days_apart();
  const Calibration calibration =
      asking->calibration(question, apart ? camera->days : Days::kUnknown, progress_);
  const Matrix distances = question.search->distances(question.session->corrected(probes, camera),
                                                      panel_with(people, claimed->id));
  const double ratio = claim_ratio(distances, calibration.zero);
  if (std::isnan(ratio)) throw damaged(people.name());
  const double line = calibration.match_above(options_.fmr);
  result.match = ratio > line;
  result.threshold = calibration.score(line);
  result.margin = calibration.curve.slope * (ratio - line) / std::numbers::ln10;
  result.fmr = options_.fmr;
  result.score = calibration.score(ratio);
  return result;
}

}  // namespace longshot
