// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "longshot/image/still_decoder.h"

namespace longshot {

// Whether this process leaves the decoding of pictures to helper programs (core/confined_process),
// where what a picture does to a decoder happens to a process that holds nothing else. Turned on,
// throws Error if the helper is missing. Clips are always decoded in helpers.
void confine_decoders(bool confined);
bool decoders_are_confined();

// decode_still() in a process that ends with the picture; the pixels are the same. Throws Error
// also for one whose decoder crashes or takes too much.
DecodedPhoto decode_confined(std::string_view bytes, std::string_view name,
                             const ReadLimits& limits);
// The size that the header states, read in such a process; nothing if it cannot be.
std::optional<Size> confined_size(std::string_view bytes);

}  // namespace longshot
