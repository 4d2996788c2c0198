// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "longshot/image/decode_budget.h"
#include "longshot/image/still_decoder.h"

namespace longshot {

// A JPEG of any kind as a grey image in [0, 1], turned as EXIF says. Throws Error.
DecodedPhoto decode_jpeg(std::string_view bytes, Size size, DecodeBudget& budget);

}  // namespace longshot
