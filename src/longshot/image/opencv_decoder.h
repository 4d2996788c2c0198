// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "longshot/image/decode_budget.h"
#include "longshot/image/image_header.h"

namespace longshot {

// A TIFF, WebP, BMP or PGM/PPM as a grey image in [0, 1]. OpenCV decodes it as a whole, so what
// that takes is judged by the header before. Throws Error.
Image decode_with_opencv(std::string_view bytes, std::string_view name, const ImageHeader& header,
                         DecodeBudget& budget);

}  // namespace longshot
