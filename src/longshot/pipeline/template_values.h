// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "longshot/recognize/recognizer.h"

namespace longshot {

// A template as the gallery keeps it: the number of parts, rows and columns of each, then their
// values column by column, all in single precision.
std::vector<float> template_values(const Template& person);

// Throws Error, as for a damaged gallery, where the sizes do not fit the values.
Template template_of(std::span<const float> values);

}  // namespace longshot
