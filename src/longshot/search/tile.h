// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "longshot/core/matrix.h"

namespace longshot {

// The inner loops of searching, in single precision. A person is a set of rows, each a vector of
// the same depth, and meets probes in tiles: one coordinate of kTileProbes probes after the other,
// so that a product of four rows with a tile stays in the registers of AVX2.

inline constexpr Index kTileProbes = 24;
inline constexpr Index kPanelRows = 4;
// Of exponentials: results are neither denormal nor infinite between these.
inline constexpr float kLeastExponent = -87.0F;
inline constexpr float kMostExponent = 88.0F;

// Rows lie in panels of four (the last one may be lower), coordinate by coordinate:
//   panel 0: row0[0] row1[0] row2[0] row3[0] row0[1] ...
// which takes rows x depth numbers without padding.
struct Panels {
  const float* values = nullptr;
  Index rows = 0;
  Index depth = 0;
};

// Rows that lie one after the other, as they are, each `stride` numbers after the one before.
struct PlainRows {
  const float* values = nullptr;
  Index rows = 0;
  Index depth = 0;
  Index stride = 0;
};

// Copies the columns of `rows` (depth x rows) into panels, and back.
template <typename Rows>
void pack_panels(const Eigen::MatrixBase<Rows>& rows, float* panels) {
  for (Index row = 0; row < rows.cols(); row += kPanelRows) {
    const Index height = std::min(kPanelRows, rows.cols() - row);
    for (Index t = 0; t < rows.rows(); ++t) {
      for (Index h = 0; h < height; ++h) *panels++ = static_cast<float>(rows(t, row + h));
    }
  }
}
// One panel of `height` rows that lie elsewhere, each as long as it is deep; returns its end.
float* pack_panel(const float* const* rows, Index height, Index depth, float* panel);
Matrix unpack_panels(const Panels& panels);  // depth x rows

// One implementation for any processor and one for x86 with AVX2 and FMA, chosen when the program
// runs, so that a binary serves all machines.
struct TileKernels {
  const char* name;
  // out (rows x kTileProbes, row by row) = rows times tile (depth x kTileProbes).
  void (*products)(const Panels& rows, const float* tile, float* out);
  // out[j] = the largest of rows times probe j.
  void (*largest_products)(const Panels& rows, const float* tile, float* out);
  // out += rows times tile, and out[r] += row r times one probe (depth numbers).
  void (*add_products)(const PlainRows& rows, const float* tile, float* out);
  void (*add_row_products)(const PlainRows& rows, const float* probe, float* out);
  // Of `count` rows of a tile, c_k: out (3 x kTileProbes) = the sums over k of weights[k] c_k^2, of
  // c_k^2, and of others[k] c_k.
  void (*code_sums)(const float* codes, Index count, const float* weights, const float* others,
                    float* out);
  // out[j] = sum over rows of (row times probe j)^2.
  void (*sums_of_squares)(const Panels& rows, const float* tile, float* out);
  // out[r] = row r times one probe, given with each coordinate kPanelRows times over.
  void (*row_products)(const Panels& rows, const float* spread_probe, float* out);
  // values[i] = exp(scale * values[i]) - 1 for arguments <= 0; positive ones count as 0. Accurate
  // to a few units in the last place of the difference, however small it is.
  void (*exponentials_minus_one)(float* values, Index count, float scale);
  // values[i] = exp(values[i]) to a few units in the last place, from exp(-87) to exp(88): what
  // lies beyond counts as these.
  void (*exponentials)(float* values, Index count);
  // Bit j is set where values[j] < limits[j], for j < kTileProbes.
  std::uint32_t (*below)(const float* values, const float* limits);
};

// The best that this processor runs.
const TileKernels& tile_kernels();

const TileKernels& portable_tile_kernels();
// Null where the processor lacks AVX2 or FMA, or is not an x86.
const TileKernels* avx2_tile_kernels();

}  // namespace longshot
