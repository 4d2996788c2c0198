// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/core/progress.h"
#include "longshot/gallery/gallery.h"
#include "longshot/pipeline/background.h"
#include "longshot/pipeline/calibration.h"
#include "longshot/pipeline/gallery_search.h"

namespace longshot {

// Low-resolution faces of people who count as not enrolled.
struct Strangers {
  Matrix probes;                  // N_L x n
  std::vector<PersonId> person;   // n: the enrolled person who counts as absent, or 0
  std::vector<Index> background;  // n: the background person who does, or -1
};

// The photos of the training people where the background is of them. Otherwise photos of the
// enrolled people under other lights, each of whom then counts as absent, and the synthetic people
// of the background while fewer than kFewestPeople are enrolled.
Strangers find_strangers(const GallerySearch& search, const Background& background);

// The calibration that the gallery keeps for this index, or one that is made and kept now: when
// there is none, or the number of people has changed by more than a quarter since.
Calibration provide_calibration(Gallery& gallery, const GallerySearch& search,
                                const Background& background, Progress& progress = no_progress());

// How many people, spread over the gallery, stand for the others when one is verified.
inline constexpr Index kPanel = 200;

}  // namespace longshot
