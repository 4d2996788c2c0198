// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/recognizer.h"

#include "longshot/core/error.h"

namespace longshot {

Matrix TrainingSet::photos_low() const {
  if (empty()) return Matrix(extender->geometry().low.pixels(), 0);
  return extender->degrade(photos_high);
}

void TrainingSet::check() const {
  if (!extender) throw Error("A training set needs an extender.");
  if (static_cast<Index>(subjects.size()) != size()) {
    throw Error("The training set has {} photos but {} labels.", size(), subjects.size());
  }
  if (!empty() && photos_high.rows() != extender->geometry().high.pixels()) {
    throw Error("The training photos have {} pixels, not those of {}.", photos_high.rows(),
                to_string(extender->geometry().high));
  }
  if (!photos_high.allFinite()) throw Error("A training photo holds values that are not finite.");
  if (enrolled_high.size() > 0 &&
      (enrolled_high.rows() != extender->geometry().high.pixels() || !enrolled_high.allFinite())) {
    throw Error("The photos of the enrolled people are not usable images of {}.",
                to_string(extender->geometry().high));
  }
  for (const Index photo : gallery_like) {
    if (photo < 0 || photo >= size()) throw Error("There is no training photo {}.", photo);
  }
}

std::shared_ptr<const Searcher> centred(std::shared_ptr<const Searcher> people,
                                        const std::optional<Camera>& camera) {
  if (!people || !camera) return people;
  if (camera->centres.empty() && camera->days == Days::kUnknown) return people;
  std::shared_ptr<const Searcher> own = people->centred(*camera);
  return own ? own : people;
}

void check_probes(const MatrixRef& probes, Index pixels, Index people) {
  if (people == 0) throw Error("Nobody is enrolled, so nobody can be recognised.");
  if (probes.rows() != pixels) {
    throw Error("The probes have {} pixels, but the gallery was made for {}.", probes.rows(),
                pixels);
  }
  if (!probes.allFinite()) throw Error("A probe holds values that are not finite numbers.");
}

}  // namespace longshot
