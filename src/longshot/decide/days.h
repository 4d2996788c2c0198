// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/camera/camera.h"
#include "longshot/core/matrix.h"

namespace longshot {

// So many nearest people tell of each probe, and at most so many probes of a batch are asked.
inline constexpr Index kDaysNearest = 6;
inline constexpr Index kDaysProbes = 200;

// How far the nearest person of probes stands out: the mean of log(d2 / d1), in units of what it is
// where the person is not enrolled or cannot be told from others. That follows from the next ones:
// then j log(d(j+1) / d(j)) has the same mean for j = 1, 2, ... (crowd_calibration.h). `nearest`
// are distances > 0, kDaysNearest x n, the nearest first.
double standing_out(const MatrixRef& nearest);

// Pixels tell people apart in other lights of one day, and hardly ever on another day. So the
// nearest people by pixels alone, as above, say which it is; where they are fewer than kDaysNearest
// x kFewestPeople, or do not say it clearly, it stays unknown.
Days days_of(const MatrixRef& nearest);

}  // namespace longshot
