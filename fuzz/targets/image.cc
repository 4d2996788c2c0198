// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/image_io.h"

#include "../target.h"

namespace longshot::fuzz {
namespace {

// Photos of all formats, as the intake decodes them; small enough that a fuzzer is not kept by
// pictures that are allowed.
void decode_any_photo(std::string_view bytes) {
  const ReadLimits limits{std::int64_t{1} << 20, 1'000'000, std::int64_t{64} << 20, 10.0};
  const DecodedPhoto photo = decode_photo(bytes, "image", limits);
  if (photo.image.size() == 0 || photo.image.size() > limits.max_pixels) std::terminate();
  if (!photo.image.allFinite()) std::terminate();
}

const Registered image("image", decode_any_photo);

}  // namespace
}  // namespace longshot::fuzz
