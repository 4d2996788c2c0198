// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/progress.h"
#include "longshot/decide/calibration.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/gallery_search.h"

namespace longshot {

// How near a stranger comes to the nearest of many people is asked of the larger crowd. Until the
// gallery has more people that is the background: each of its people in turn counts as absent and
// is searched among the others, with the enrolled people beside them where both are photographs.
// From then on it is the gallery, asked by the photos of the training people, or, where there are
// none, by those of the enrolled people under other lights and a little displaced, each of whom
// then counts as absent. Measured in docs/results.md, "Open set".

// The calibration that the gallery keeps for this index, or one that is made and kept now: when
// there is none, or the number of people has changed by more than a quarter since.
Calibration provide_calibration(GalleryStore& gallery, const GallerySearch& search,
                                Progress& progress = no_progress());

// How many people, spread over the gallery, stand for the others when one is verified.
inline constexpr Index kPanel = 200;

}  // namespace longshot
