// SPDX-License-Identifier: Apache-2.0
#include "longshot/search/tile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace longshot {
namespace {

// Calls body(first row, height, values) for every panel.
template <typename Body>
void for_each_panel(const Panels& panels, const Body& body) {
  const float* values = panels.values;
  for (Index row = 0; row < panels.rows; row += kPanelRows) {
    const Index height = std::min(kPanelRows, panels.rows - row);
    body(row, height, values);
    values += height * panels.depth;
  }
}

void products(const Panels& rows, const float* tile, float* out) {
  for_each_panel(rows, [&](Index row, Index height, const float* values) {
    for (Index h = 0; h < height; ++h) {
      float sums[kTileProbes] = {};
      for (Index t = 0; t < rows.depth; ++t) {
        const float value = values[t * height + h];
        for (Index j = 0; j < kTileProbes; ++j) sums[j] += value * tile[t * kTileProbes + j];
      }
      std::copy_n(sums, kTileProbes, out + (row + h) * kTileProbes);
    }
  });
}

void largest_products(const Panels& rows, const float* tile, float* out) {
  std::fill_n(out, kTileProbes, -std::numeric_limits<float>::infinity());
  for_each_panel(rows, [&](Index, Index height, const float* values) {
    float sums[kPanelRows * kTileProbes];
    products({values, height, rows.depth}, tile, sums);
    for (Index i = 0; i < height * kTileProbes; ++i) {
      out[i % kTileProbes] = std::max(out[i % kTileProbes], sums[i]);
    }
  });
}

void add_products(const PlainRows& rows, const float* tile, float* out) {
  for (Index r = 0; r < rows.rows; ++r, out += kTileProbes) {
    const float* row = rows.values + r * rows.stride;
    for (Index t = 0; t < rows.depth; ++t) {
      for (Index j = 0; j < kTileProbes; ++j) out[j] += row[t] * tile[t * kTileProbes + j];
    }
  }
}

void add_row_products(const PlainRows& rows, const float* probe, float* out) {
  for (Index r = 0; r < rows.rows; ++r) {
    const float* row = rows.values + r * rows.stride;
    out[r] = std::inner_product(row, row + rows.depth, probe, out[r]);
  }
}

void code_sums(const float* codes, Index count, const float* weights, const float* others,
               float* out) {
  std::fill_n(out, 3 * kTileProbes, 0.0F);
  for (Index k = 0; k < count; ++k) {
    for (Index j = 0; j < kTileProbes; ++j) {
      const float code = codes[k * kTileProbes + j];
      out[j] += weights[k] * code * code;
      out[kTileProbes + j] += code * code;
      out[2 * kTileProbes + j] += others[k] * code;
    }
  }
}

void sums_of_squares(const Panels& rows, const float* tile, float* out) {
  float totals[kTileProbes] = {};
  for_each_panel(rows, [&](Index, Index height, const float* values) {
    for (Index h = 0; h < height; ++h) {
      float sums[kTileProbes] = {};
      for (Index t = 0; t < rows.depth; ++t) {
        const float value = values[t * height + h];
        for (Index j = 0; j < kTileProbes; ++j) sums[j] += value * tile[t * kTileProbes + j];
      }
      for (Index j = 0; j < kTileProbes; ++j) totals[j] += sums[j] * sums[j];
    }
  });
  std::copy_n(totals, kTileProbes, out);
}

void row_products(const Panels& rows, const float* spread_probe, float* out) {
  for_each_panel(rows, [&](Index row, Index height, const float* values) {
    float sums[kPanelRows] = {};
    for (Index t = 0; t < rows.depth; ++t) {
      for (Index h = 0; h < height; ++h) {
        sums[h] += values[t * height + h] * spread_probe[t * kPanelRows];
      }
    }
    std::copy_n(sums, height, out + row);
  });
}

void exponentials_minus_one(float* values, Index count, float scale) {
  for (Index i = 0; i < count; ++i) values[i] = std::expm1(std::min(scale * values[i], 0.0F));
}

void exponentials(float* values, Index count) {
  for (Index i = 0; i < count; ++i) {
    values[i] = std::exp(std::clamp(values[i], kLeastExponent, kMostExponent));
  }
}

std::uint32_t below(const float* values, const float* limits) {
  std::uint32_t mask = 0;
  for (Index j = 0; j < kTileProbes; ++j) {
    mask |= static_cast<std::uint32_t>(values[j] < limits[j]) << j;
  }
  return mask;
}

}  // namespace

float* pack_panel(const float* const* rows, Index height, Index depth, float* panel) {
  if (height == kPanelRows) {
    // Nearly all of them, and told the compiler, which joins four numbers at a time.
    for (Index t = 0; t < depth; ++t, panel += kPanelRows) {
      for (Index h = 0; h < kPanelRows; ++h) panel[h] = rows[h][t];
    }
    return panel;
  }
  for (Index t = 0; t < depth; ++t) {
    for (Index h = 0; h < height; ++h) *panel++ = rows[h][t];
  }
  return panel;
}

Matrix unpack_panels(const Panels& panels) {
  Matrix rows(panels.depth, panels.rows);
  for_each_panel(panels, [&](Index row, Index height, const float* values) {
    for (Index t = 0; t < panels.depth; ++t) {
      for (Index h = 0; h < height; ++h) rows(t, row + h) = values[t * height + h];
    }
  });
  return rows;
}

const TileKernels& portable_tile_kernels() {
  static constexpr TileKernels kKernels = {
      "portable", products,        largest_products, add_products,           add_row_products,
      code_sums,  sums_of_squares, row_products,     exponentials_minus_one, exponentials,
      below};
  return kKernels;
}

const TileKernels& tile_kernels() {
  static const TileKernels& best =
      avx2_tile_kernels() != nullptr ? *avx2_tile_kernels() : portable_tile_kernels();
  return best;
}

}  // namespace longshot
