// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "longshot/image/image_io.h"

namespace longshot {

// encode_image() for colour: three planes of equal size.
std::string encode_image(const ColorImage& image, std::string_view extension);

}  // namespace longshot
