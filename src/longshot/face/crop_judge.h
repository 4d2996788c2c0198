// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "longshot/image/image.h"

namespace longshot {

// The logarithm of the odds that an image of a few pixels is a face that fills it, rather than
// noise, a texture or a thing, if either is as likely: what a small network of our own says
// (training/crop_judge.py). Nothing for a flat image.
std::optional<double> face_log_odds(const Image& crop);

// Whether a crop is clearly no face: its odds are such that hardly a face in ordinary light has
// less, by however bad cameras (docs/results.md, "No face").
bool is_no_face(const Image& crop);

}  // namespace longshot
