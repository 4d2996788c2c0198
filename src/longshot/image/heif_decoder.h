// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "longshot/image/decode_budget.h"
#include "longshot/image/still_decoder.h"

namespace longshot {

// Whether the file begins as HEIC, HEIF or AVIF do.
bool is_heif(std::string_view bytes);
// Whether it is a sequence of images, not one.
bool is_heif_sequence(std::string_view bytes);
// Whether every box of it is all there.
bool heif_is_complete(std::string_view bytes);
// Of its main image, turned as it says; nothing if the boxes are damaged. No pixel is decoded.
std::optional<Size> heif_size(std::string_view bytes);

// The main image as a grey one in [0, 1], turned and mirrored as the file says; what EXIF says of
// that has no meaning in these formats (ISO/IEC 23008-12, 6.5.10 and A.4). libheif decodes it as a
// whole, in this thread, so memory is judged by `size` before, and time after; what is coded may be
// larger than the file says, and then costs more. Throws Error.
DecodedPhoto decode_heif(std::string_view bytes, Size size, DecodeBudget& budget);

}  // namespace longshot
