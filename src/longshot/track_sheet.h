// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "longshot/door.h"  // it keeps the two faces apart
#include "longshot/image/drawing.h"

namespace longshot::door {

// What a picture says of an answer: "anna 0.93", "unknown 0.12", "no answer".
std::string said_of(const v0::Answer& answer);
Colour colour_of(const v0::Answer& answer);

// One picture of a track, for a person to judge: its used frames with their weights and qualities,
// all of them joined, and the first candidates as the camera would see them, as far as there are
// comparisons.
ColorImage track_sheet(const v0::Track& track, const v0::Answer& answer,
                       const std::vector<v0::Comparison>& nearest);

}  // namespace longshot::door
