// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "longshot/image/decode_budget.h"
#include "longshot/image/image.h"

namespace longshot {

// A PNG of any kind as a grey image in [0, 1], turned as EXIF says; transparency is ignored. Throws
// Error.
Image decode_png(std::string_view bytes, Size size, DecodeBudget& budget);

}  // namespace longshot
