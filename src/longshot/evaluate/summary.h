// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/core/matrix.h"

namespace longshot {

// An experiment is repeated over random draws (of the training images, of the noise); within one
// draw the runs go through the protocol, such as each light in turn as the gallery.

// A value per draw and run: values[draw][run].
using RunValues = std::vector<std::vector<double>>;

struct Summary {
  double mean = 0.0;  // over draws of the mean over their runs: every draw counts the same
  double draw_deviation = 0.0;  // sample deviation of those means; 0 where there is one draw
  double run_deviation = 0.0;   // sample deviation of all runs of all draws; 0 where there is one
  Index draws = 0;
  Index runs = 0;  // of all draws together
};

// Throws Error if there is no draw, a draw without runs, or a value that is not finite.
Summary summarise(const RunValues& values);

// The same mean, element by element, for curves of one length: curves[draw][run], such as CMC.
Vector mean_curve(const std::vector<std::vector<Vector>>& curves);

}  // namespace longshot
