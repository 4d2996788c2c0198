// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/decide/calibration.h"

namespace longshot {

// Learns what several frames of one person add, from distances (people x n) of photos of people who
// are not enrolled: each one's photos are taken for a track, which is compared with the others as
// strangers are and with himself as the right one is. `owners` are the rows of the n photos; -1 is
// left out. Nothing is learnt where fewer than five people have two photos.
FrameGain learn_frame_gain(const MatrixRef& distances, const std::vector<Index>& owners,
                           double zero);

// How many independent photos of a person say as much as these frames: `frames` of equal weight
// whose distances to others correlate by `alike`. What they have in common beyond the person, such
// as light and pose, does not become less by averaging.
double effective_frames(double frames, double alike, const FrameGain& gain);

}  // namespace longshot
