// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/progress.h"
#include "longshot/decide/crowd_calibration.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/gallery_search.h"

namespace longshot {

// The calibration that the gallery keeps for this index of the people and for probes of such days,
// or one that is made and kept now: when there is none, or the number of people has changed by more
// than a quarter since. How it is made is in decide/crowd_calibration.h. `search` is for no camera.
Calibration provide_calibration(GalleryStore& gallery, const GalleryPeople& people,
                                const PeopleSearch& search, Days days = Days::kUnknown,
                                Progress& progress = no_progress());

// The days that a camera's probes may be searched for: unknown where no calibration can be made.
Days calibrated_days(const GalleryStore& gallery, Days days);

// Whether it may be used for that many people.
bool still_holds(const Calibration& calibration, Index people);

}  // namespace longshot
