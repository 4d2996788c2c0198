// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/image_header.h"

#include "../target.h"

namespace longshot::fuzz {
namespace {

void read_any_header(std::string_view bytes) {
  const std::optional<ImageHeader> header = read_image_header(bytes);
  if (header && (header->size.rows < 1 || header->size.cols < 1)) std::terminate();
}

const Registered image_header("image_header", read_any_header);

}  // namespace
}  // namespace longshot::fuzz
