// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "longshot/image/image_header.h"

namespace longshot {

// Whether the file is all there, judged by its container: JPEG's end marker, PNG's chunks with
// their checksums, the pixel count of PGM/PPM and BMP, WebP's length, the boxes of HEIF. Decoders
// do less: some fill the missing part of a photo with grey, others complain on stderr. Always true
// for TIFF.
bool is_complete(std::string_view bytes, const ImageHeader& header);

}  // namespace longshot
