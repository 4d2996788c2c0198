// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/verifier.h"

#include <algorithm>
#include <limits>

#include "longshot/core/error.h"
#include "longshot/image/degrade.h"
#include "longshot/pipeline/gallery_calibration.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/pipeline/size_ladder.h"

namespace longshot {
namespace {

// The claimed person first, then those who stand for the others.
std::vector<PersonId> panel_with(const Gallery& gallery, PersonId person) {
  std::vector<PersonId> panel = some_people(gallery, kPanel);
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

Size size_for(const std::vector<Image>& probes, const VerifyOptions& options, Size high) {
  if (options.size) {
    if (options.size->rows > high.rows || options.size->cols > high.cols) {
      throw Error("The size {} is larger than the faces of the gallery, {}.",
                  to_string(*options.size), to_string(high));
    }
    return *options.size;
  }
  const std::vector<Size> ladder = size_ladder(high);
  std::optional<Size> smallest;
  for (const Image& probe : probes) {
    const std::optional<Size> step = ladder_step(size_of(probe), ladder);
    if (step && (!smallest || step->pixels() < smallest->pixels())) smallest = step;
  }
  if (!smallest) {
    throw Error("The face has {} pixels, too few: at least {} are needed, or state --size.",
                to_string(size_of(probes.front())), to_string(ladder.front()));
  }
  return *smallest;
}

}  // namespace

void VerifyOptions::check() const {
  make_recognizer(method);
  if (!(fmr >= 0.0 && fmr <= 1.0)) {
    throw Error("A false match rate must lie between 0 and 1, not {}.", fmr);
  }
}

Verification verify(Gallery& gallery, const std::vector<Input>& inputs, const std::string& person,
                    const VerifyOptions& options, Progress& progress) {
  options.check();
  const GallerySetup setup = setup_of(gallery);
  const std::optional<Person> claimed = gallery.find_person(person);
  if (!claimed) {
    throw Error("Nobody called \"{}\" is enrolled in {}.", person, gallery.path().string());
  }
  FaceIntake intake({setup.frame, setup.high, options.detector, {}});
  Verification result;
  result.person = person;
  std::vector<Image> faces;
  for (const Input& input : inputs) {
    try {
      faces.push_back(intake.probe(input));
    } catch (const Error& error) {
      result.rejections.push_back({input.path, error.what()});
    }
  }
  if (faces.empty()) {
    if (result.rejections.empty()) throw Error("No image was given.");
    throw Error("{}: {}", result.rejections[0].path, result.rejections[0].reason);
  }
  result.size = size_for(faces, options, setup.high);
  result.frames = static_cast<Index>(faces.size());
  Matrix probes(result.size.pixels(), result.frames);
  for (std::size_t j = 0; j < faces.size(); ++j) {
    const Image& face = faces[j];
    probes.col(static_cast<Index>(j)) =
        (size_of(face) == result.size ? face : degrade(face, result.size)).reshaped();
  }
  const SearchSession session(gallery, options.method, result.size, progress);
  const GallerySnapshot snapshot(gallery);
  const Matrix distances = session.search().distances(probes, panel_with(gallery, claimed->id));
  if (distances.rows() < 2) {
    throw Error("The method {} needs at least two enrolled people.", options.method);
  }
  const double ratio = claim_ratio(distances, session.calibration().zero);
  result.match = ratio > session.calibration().match_above(options.fmr);
  result.score = session.calibration().score(ratio);
  return result;
}

}  // namespace longshot
