// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/sheet.h"

#include <algorithm>

#include "longshot/core/error.h"

namespace longshot {

Image contact_sheet(const std::vector<Image>& images, Index columns, Index gap, double paper) {
  if (images.empty()) throw Error("A contact sheet needs at least one image.");
  if (columns < 1) throw Error("A contact sheet needs at least one column, not {}.", columns);
  if (gap < 0) throw Error("The gap of a contact sheet must be 0 pixels or more, not {}.", gap);
  const Size size = size_of(images.front());
  const auto count = static_cast<Index>(images.size());
  const Index across = std::min(columns, count);
  const Index down = (count + across - 1) / across;
  Image sheet =
      Image::Constant(down * (size.rows + gap) + gap, across * (size.cols + gap) + gap, paper);
  for (Index i = 0; i < count; ++i) {
    const Image& image = images[static_cast<std::size_t>(i)];
    if (size_of(image) != size) {
      throw Error(
          "All images of a contact sheet must be of one size, but number {} is {} and the first "
          "{}.",
          i + 1, to_string(size_of(image)), to_string(size));
    }
    sheet.block(gap + (i / across) * (size.rows + gap), gap + (i % across) * (size.cols + gap),
                size.rows, size.cols) = image;
  }
  return sheet;
}

}  // namespace longshot
