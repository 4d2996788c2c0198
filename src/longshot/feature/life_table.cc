// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/life_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "longshot/feature/life_network.h"
#include "longshot/feature/table_reader.h"

namespace longshot {
namespace assets {
std::string_view gradient_table();
std::string_view network_table();
std::string_view face_network_table();
}  // namespace assets

namespace {

constexpr std::string_view kMagic = "LSLIFE02";
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
  table.features =
      static_cast<LifeFeatures>(reader.count(static_cast<Index>(LifeFeatures::kFaceNetwork)));
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
  const bool agree =
      table.features == LifeFeatures::kGradients ? dimensions == table.gradients.dimensions()
      : table.features == LifeFeatures::kNetwork ? dimensions == life_network().dimensions()
                                                 : true;  // it may not be installed
  if (!agree) reader.refuse();
  table.entries.resize(static_cast<std::size_t>(reader.count(100)));
  table.basis = reader.scaled_rows<std::int8_t>(kept, dimensions);
  for (LifeTable::Entry& entry : table.entries) {
    entry.size = reader.size(kMostDimensions);
    entry.mean = reader.values<float>(kept);
    entry.between = reader.values<float>(coordinates);
    if (entry.between.minCoeff() < 0.0) reader.refuse();
    entry.directions = reader.scaled_rows<std::int8_t>(coordinates, kept);
  }
  if (!reader.at_end()) reader.refuse();
  return table;
}

const LifeTable& gradient_table() {
  static const LifeTable table = decode_life_table(assets::gradient_table());
  return table;
}

const LifeTable& network_table() {
  static const LifeTable table = decode_life_table(assets::network_table());
  return table;
}

const LifeTable& face_network_table() {
  static const LifeTable table = decode_life_table(assets::face_network_table());
  return table;
}

}  // namespace longshot
