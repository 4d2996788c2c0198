// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/grey_rows.h"

#include "longshot/image/header_reader.h"

namespace longshot {

// EXIF 2.32, 4.6.4: which side of the photo the 0th row and the 0th column are.
GreyRows::GreyRows(Size size, int orientation, DecodeBudget& budget)
    : size_(size),
      turned_(orientation >= 5),
      flip_rows_(orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7),
      flip_cols_(orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8) {
  budget.take(size.pixels() * static_cast<Index>(sizeof(double)));
  image_.resize(turned_ ? size.cols : size.rows, turned_ ? size.rows : size.cols);
}

int exif_orientation(std::string_view tiff) {
  constexpr std::uint32_t kOrientation = 0x0112;
  if (!tiff.starts_with("II") && !tiff.starts_with("MM")) return 1;
  HeaderReader reader(tiff, tiff[0] == 'M');
  const std::size_t directory = reader.number(4, 4);
  const std::uint32_t entries = reader.number(directory, 2);
  for (std::uint32_t i = 0; i < entries && reader.ok(); ++i) {
    const std::size_t entry = directory + 2 + 12 * std::size_t{i};
    if (reader.number(entry, 2) != kOrientation) continue;
    const std::uint32_t value = reader.number(entry + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

}  // namespace longshot
