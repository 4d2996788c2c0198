// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/pipeline/background.h"
#include "longshot/pipeline/gallery_search.h"

namespace longshot {

// Low-resolution faces of people who count as not enrolled.
struct Strangers {
  Matrix probes;                  // N_L x n
  std::vector<PersonId> person;   // n: the enrolled person who counts as absent, or 0
  std::vector<Index> background;  // n: the background person who does, or -1
};

// Photos (N_H x n) as probes: brought down through the model's camera, with its noise, and beside
// their place as far as the camera is uncertain. The same for the same photos.
Matrix as_probes(const GalleryModel& model, const MatrixRef& photos);

// The probes of the background.
Strangers background_strangers(const GallerySearch& search, const Background& background);

// The enrolled people (300 at most, spread over the gallery), relit, displaced by a few hundredths
// of the face, degraded and with a little noise: some 900 faces.
Strangers enrolled_strangers(const GallerySearch& search);

}  // namespace longshot
