// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "longshot/image/image.h"

namespace longshot {

// Checked on the file and on its header, before anything is decoded, and while it is.
struct ReadLimits {
  std::int64_t max_bytes = std::int64_t{256} << 20;   // of the file
  std::int64_t max_pixels = 100'000'000;              // rows x columns
  std::int64_t max_memory = std::int64_t{500} << 20;  // bytes that decoding one image may take
  double max_seconds = 10.0;                          // of processor time for one image, above 0

  void check() const;
};

struct DecodedPhoto {
  Image image;
  bool damaged = false;  // the decoder had to guess a part of it; so far only known of JPEG
};

// decode_photo() by the decoders of this process: for what the library made itself, and for the
// process that decodes for others. Throws Error.
DecodedPhoto decode_still(std::string_view bytes, std::string_view name,
                          const ReadLimits& limits = {});

}  // namespace longshot
