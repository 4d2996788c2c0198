// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/progress.h"
#include "longshot/decide/crowd_calibration.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/gallery_search.h"

namespace longshot {

// For probes of each kind of days.
struct DayCalibrations {
  Calibration any;
  Calibration same;
  Calibration other;

  const Calibration& of(Days days) const;
};

// The calibration that the gallery keeps for this index of the people, or one that is made and kept
// now: when there is none, or the number of people has changed by more than a quarter since. How it
// is made is in decide/crowd_calibration.h.
DayCalibrations provide_calibration(GalleryStore& gallery, const GalleryPeople& people,
                                    const PeopleSearch& search, Progress& progress = no_progress());

// Whether it may be used for that many people.
bool still_holds(const Calibration& calibration, Index people);

}  // namespace longshot
