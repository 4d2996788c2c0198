// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/life_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "longshot/feature/table_reader.h"

namespace longshot {
namespace assets {
std::string_view life_table();
}

namespace {

constexpr std::string_view kMagic = "LSLIFE01";
constexpr Index kMostDimensions = 100000;

double log_pixels(Size size) {
  return std::log(static_cast<double>(size.pixels()));
}

}  // namespace

const LifeTable::Entry& LifeTable::nearest(Size size) const {
  return *std::min_element(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    return std::abs(log_pixels(a.size) - log_pixels(size)) <
           std::abs(log_pixels(b.size) - log_pixels(size));
  });
}

LifeTable decode_life_table(std::string_view bytes) {
  TableReader reader(bytes, "The table of faces in life");
  if (reader.take(kMagic.size()) != kMagic) reader.refuse();
  LifeTable table;
  table.gradients.grid = reader.size(kMostDimensions);
  table.gradients.directions = reader.count(kMostDimensions);
  table.gradients.window = reader.count(kMostDimensions);
  table.gradients.floor = reader.number<float>();
  table.gradients.overlap = reader.number<float>();
  table.gradients.cells.resize(static_cast<std::size_t>(reader.count(10)));
  for (Size& cells : table.gradients.cells) cells = reader.size(kMostDimensions);
  table.gradients.check();
  const Index dimensions = reader.count(kMostDimensions);
  const Index kept = reader.count(dimensions);
  const Index coordinates = reader.count(kept);
  if (dimensions != table.gradients.dimensions()) reader.refuse();
  table.entries.resize(static_cast<std::size_t>(reader.count(100)));
  table.basis = reader.scaled_rows<std::int8_t>(kept, dimensions);
  for (LifeTable::Entry& entry : table.entries) {
    entry.size = reader.size(kMostDimensions);
    entry.mean = reader.values<float>(kept);
    entry.between = reader.values<float>(coordinates);
    if (entry.between.minCoeff() < 0.0) reader.refuse();
    entry.directions = reader.scaled_rows<std::int16_t>(coordinates, kept);
  }
  if (!reader.at_end()) reader.refuse();
  return table;
}

const LifeTable& life_table() {
  static const LifeTable table = decode_life_table(assets::life_table());
  return table;
}

}  // namespace longshot
