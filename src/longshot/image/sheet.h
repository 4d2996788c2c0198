// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/image/image.h"

namespace longshot {

// Arranges images of one size row by row, `columns` of them in each, on `paper` (brightness, 0 to
// 1) with `gap` pixels between and around them. Throws Error unless there are images, all of one
// size, columns >= 1 and gap >= 0.
Image contact_sheet(const std::vector<Image>& images, Index columns, Index gap = 2,
                    double paper = 1.0);

}  // namespace longshot
