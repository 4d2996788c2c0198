// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "longshot/face/face_reader.h"
#include "longshot/image/face_frame.h"
#include "longshot/image/image.h"

namespace longshot {

// The sizes at which a gallery is searched, so that probes of all sizes share a few indexes: from
// 6x5 to 24x20 for faces of 48x40, ascending; others in their proportion. Beyond that more pixels
// make the search slower and hardly better. Never larger than `high`.
std::vector<Size> size_ladder(Size high);

// The largest step that the probe's pixels fill; a probe may lack a tenth of a step in each
// direction. Nothing if the probe is smaller than the first step.
std::optional<Size> ladder_step(Size probe, const std::vector<Size>& ladder);

// The step at which several faces are searched together, at their own sizes before: the middle one
// of their steps (the smaller of two). One large frame does not make the others sharper, so the
// largest would be wrong, and one small frame must not blur all others, so the smallest would be;
// the commonest may be any of them. Nothing if all are too small.
std::optional<Size> search_size(const std::vector<Image>& faces, const std::vector<Size>& ladder);

// Why a face of that size cannot be used with that ladder, in one sentence.
std::string too_small(Size face, const std::vector<Size>& ladder);

// How many pixels of a photo the frame's crop covers of a face with these eyes.
Size size_of_face(const Eyes& eyes, const FaceFrame& frame);

// How many pixels of the photo the frame's crop of this face covers.
Size native_size(const Face& face, const FaceFrame& frame);

}  // namespace longshot
