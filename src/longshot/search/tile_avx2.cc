// SPDX-License-Identifier: Apache-2.0
#include "longshot/search/tile.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <algorithm>
#include <limits>

#include <immintrin.h>

// Only these functions may use the instructions: the rest of the program runs before anyone knows
// whether the processor has them.
#define LONGSHOT_AVX2 __attribute__((target("avx2,fma")))
#define LONGSHOT_AVX2_INLINE __attribute__((target("avx2,fma"), always_inline)) inline

namespace longshot {
namespace avx2 {
namespace {

constexpr int kVector = 8;
constexpr int kVectors = static_cast<int>(kTileProbes) / kVector;

template <int kHeight>
struct PanelSums {
  __m256 of[kHeight][kVectors];
};

// kHeight rows times a tile: 12 sums in registers for four rows, and 12 multiply-adds for every 7
// loads.
template <int kHeight>
LONGSHOT_AVX2_INLINE PanelSums<kHeight> panel_sums(const float* panel, Index depth,
                                                   const float* tile) {
  PanelSums<kHeight> sums;
#pragma GCC unroll 4
  for (int h = 0; h < kHeight; ++h) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) sums.of[h][v] = _mm256_setzero_ps();
  }
  for (Index t = 0; t < depth; ++t) {
    const __m256 probes[kVectors] = {_mm256_loadu_ps(tile), _mm256_loadu_ps(tile + kVector),
                                     _mm256_loadu_ps(tile + 2 * kVector)};
#pragma GCC unroll 4
    for (int h = 0; h < kHeight; ++h) {
      const __m256 value = _mm256_broadcast_ss(panel + h);
#pragma GCC unroll 3
      for (int v = 0; v < kVectors; ++v) {
        sums.of[h][v] = _mm256_fmadd_ps(value, probes[v], sums.of[h][v]);
      }
    }
    panel += kHeight;
    tile += kTileProbes;
  }
  return sums;
}

template <int kHeight>
LONGSHOT_AVX2_INLINE void store_sums(const float* panel, Index depth, const float* tile,
                                     float* out) {
  const PanelSums<kHeight> sums = panel_sums<kHeight>(panel, depth, tile);
#pragma GCC unroll 4
  for (int h = 0; h < kHeight; ++h) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      _mm256_storeu_ps(out + h * kTileProbes + v * kVector, sums.of[h][v]);
    }
  }
}

template <int kHeight>
LONGSHOT_AVX2_INLINE void add_squares(const float* panel, Index depth, const float* tile,
                                      __m256* totals) {
  const PanelSums<kHeight> sums = panel_sums<kHeight>(panel, depth, tile);
#pragma GCC unroll 4
  for (int h = 0; h < kHeight; ++h) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      totals[v] = _mm256_fmadd_ps(sums.of[h][v], sums.of[h][v], totals[v]);
    }
  }
}

LONGSHOT_AVX2 void products(const Panels& rows, const float* tile, float* out) {
  const float* panel = rows.values;
  Index left = rows.rows;
  for (; left >= kPanelRows; left -= kPanelRows) {
    store_sums<4>(panel, rows.depth, tile, out);
    panel += kPanelRows * rows.depth;
    out += kPanelRows * kTileProbes;
  }
  if (left == 3) store_sums<3>(panel, rows.depth, tile, out);
  if (left == 2) store_sums<2>(panel, rows.depth, tile, out);
  if (left == 1) store_sums<1>(panel, rows.depth, tile, out);
}

template <int kHeight>
LONGSHOT_AVX2_INLINE void keep_largest(const float* panel, Index depth, const float* tile,
                                       __m256* largest) {
  const PanelSums<kHeight> sums = panel_sums<kHeight>(panel, depth, tile);
#pragma GCC unroll 4
  for (int h = 0; h < kHeight; ++h) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) largest[v] = _mm256_max_ps(sums.of[h][v], largest[v]);
  }
}

LONGSHOT_AVX2 void largest_products(const Panels& rows, const float* tile, float* out) {
  const __m256 least = _mm256_set1_ps(-std::numeric_limits<float>::infinity());
  __m256 largest[kVectors] = {least, least, least};
  const float* panel = rows.values;
  Index left = rows.rows;
  for (; left >= kPanelRows; left -= kPanelRows) {
    keep_largest<4>(panel, rows.depth, tile, largest);
    panel += kPanelRows * rows.depth;
  }
  if (left == 3) keep_largest<3>(panel, rows.depth, tile, largest);
  if (left == 2) keep_largest<2>(panel, rows.depth, tile, largest);
  if (left == 1) keep_largest<1>(panel, rows.depth, tile, largest);
  for (int v = 0; v < kVectors; ++v) _mm256_storeu_ps(out + v * kVector, largest[v]);
}

// As panel_sums(), of rows that are not interleaved.
template <int kHeight>
LONGSHOT_AVX2_INLINE void add_plain(const float* rows, Index stride, Index depth, const float* tile,
                                    float* out) {
  __m256 sums[kHeight][kVectors];
#pragma GCC unroll 4
  for (int h = 0; h < kHeight; ++h) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      sums[h][v] = _mm256_loadu_ps(out + h * kTileProbes + v * kVector);
    }
  }
  for (Index t = 0; t < depth; ++t) {
    const __m256 probes[kVectors] = {_mm256_loadu_ps(tile), _mm256_loadu_ps(tile + kVector),
                                     _mm256_loadu_ps(tile + 2 * kVector)};
#pragma GCC unroll 4
    for (int h = 0; h < kHeight; ++h) {
      const __m256 value = _mm256_broadcast_ss(rows + h * stride + t);
#pragma GCC unroll 3
      for (int v = 0; v < kVectors; ++v) sums[h][v] = _mm256_fmadd_ps(value, probes[v], sums[h][v]);
    }
    tile += kTileProbes;
  }
#pragma GCC unroll 4
  for (int h = 0; h < kHeight; ++h) {
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      _mm256_storeu_ps(out + h * kTileProbes + v * kVector, sums[h][v]);
    }
  }
}

LONGSHOT_AVX2 void add_products(const PlainRows& rows, const float* tile, float* out) {
  const float* row = rows.values;
  Index left = rows.rows;
  for (; left >= kPanelRows; left -= kPanelRows) {
    add_plain<4>(row, rows.stride, rows.depth, tile, out);
    row += kPanelRows * rows.stride;
    out += kPanelRows * kTileProbes;
  }
  if (left == 3) add_plain<3>(row, rows.stride, rows.depth, tile, out);
  if (left == 2) add_plain<2>(row, rows.stride, rows.depth, tile, out);
  if (left == 1) add_plain<1>(row, rows.stride, rows.depth, tile, out);
}

LONGSHOT_AVX2_INLINE float total(__m256 sums) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps(sums, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
}

LONGSHOT_AVX2 void add_row_products(const PlainRows& rows, const float* probe, float* out) {
  for (Index r = 0; r < rows.rows; ++r) {
    const float* row = rows.values + r * rows.stride;
    __m256 sums[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(),
                      _mm256_setzero_ps()};
    Index t = 0;
    for (; t + 4 * kVector <= rows.depth; t += 4 * kVector) {
#pragma GCC unroll 4
      for (int v = 0; v < 4; ++v) {
        sums[v] = _mm256_fmadd_ps(_mm256_loadu_ps(row + t + v * kVector),
                                  _mm256_loadu_ps(probe + t + v * kVector), sums[v]);
      }
    }
    float rest = 0.0F;
    for (; t < rows.depth; ++t) rest += row[t] * probe[t];
    out[r] += rest + total(_mm256_add_ps(_mm256_add_ps(sums[0], sums[1]),
                                         _mm256_add_ps(sums[2], sums[3])));
  }
}

LONGSHOT_AVX2 void code_sums(const float* codes, Index count, const float* weights,
                             const float* others, float* out) {
  __m256 sums[3][kVectors];
  for (auto& own : sums) {
    for (__m256& sum : own) sum = _mm256_setzero_ps();
  }
  for (Index k = 0; k < count; ++k) {
    const __m256 weight = _mm256_broadcast_ss(weights + k);
    const __m256 other = _mm256_broadcast_ss(others + k);
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      const __m256 code = _mm256_loadu_ps(codes + k * kTileProbes + v * kVector);
      const __m256 square = _mm256_mul_ps(code, code);
      sums[0][v] = _mm256_fmadd_ps(weight, square, sums[0][v]);
      sums[1][v] = _mm256_add_ps(square, sums[1][v]);
      sums[2][v] = _mm256_fmadd_ps(other, code, sums[2][v]);
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int v = 0; v < kVectors; ++v) {
      _mm256_storeu_ps(out + i * kTileProbes + v * kVector, sums[i][v]);
    }
  }
}

LONGSHOT_AVX2 void sums_of_squares(const Panels& rows, const float* tile, float* out) {
  __m256 totals[kVectors] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
  const float* panel = rows.values;
  Index left = rows.rows;
  for (; left >= kPanelRows; left -= kPanelRows) {
    add_squares<4>(panel, rows.depth, tile, totals);
    panel += kPanelRows * rows.depth;
  }
  if (left == 3) add_squares<3>(panel, rows.depth, tile, totals);
  if (left == 2) add_squares<2>(panel, rows.depth, tile, totals);
  if (left == 1) add_squares<1>(panel, rows.depth, tile, totals);
  for (int v = 0; v < kVectors; ++v) _mm256_storeu_ps(out + v * kVector, totals[v]);
}

// Four rows times one probe: a vector holds two coordinates of the four rows.
LONGSHOT_AVX2_INLINE __m128 panel_times_probe(const float* panel, Index depth,
                                              const float* spread_probe) {
  __m256 even = _mm256_setzero_ps();
  __m256 odd = _mm256_setzero_ps();
  Index t = 0;
  for (; t + 4 <= depth; t += 4) {
    const float* values = panel + t * kPanelRows;
    const float* probe = spread_probe + t * kPanelRows;
    even = _mm256_fmadd_ps(_mm256_loadu_ps(values), _mm256_loadu_ps(probe), even);
    odd = _mm256_fmadd_ps(_mm256_loadu_ps(values + kVector), _mm256_loadu_ps(probe + kVector), odd);
  }
  const __m256 both = _mm256_add_ps(even, odd);
  __m128 sums = _mm_add_ps(_mm256_castps256_ps128(both), _mm256_extractf128_ps(both, 1));
  for (; t < depth; ++t) {
    sums = _mm_fmadd_ps(_mm_loadu_ps(panel + t * kPanelRows),
                        _mm_loadu_ps(spread_probe + t * kPanelRows), sums);
  }
  return sums;
}

// Fewer than four rows: what a vector holds of the next coordinate lands in lanes that nobody
// reads.
LONGSHOT_AVX2_INLINE void row_products_of_rest(const float* panel, Index height, Index depth,
                                               const float* spread_probe, float* out) {
  __m128 sums[kPanelRows] = {_mm_setzero_ps(), _mm_setzero_ps(), _mm_setzero_ps(),
                             _mm_setzero_ps()};
  // Vectors must end within the panel.
  const Index whole = std::max<Index>(0, depth - (kPanelRows - 1) / height) / 4 * 4;
  for (Index t = 0; t < whole; t += 4) {
#pragma GCC unroll 4
    for (Index k = 0; k < 4; ++k) {
      sums[k] = _mm_fmadd_ps(_mm_loadu_ps(panel + (t + k) * height),
                             _mm_loadu_ps(spread_probe + (t + k) * kPanelRows), sums[k]);
    }
  }
  float total[kPanelRows];
  _mm_storeu_ps(total, _mm_add_ps(_mm_add_ps(sums[0], sums[1]), _mm_add_ps(sums[2], sums[3])));
  for (Index h = 0; h < height; ++h) {
    out[h] = total[h];
    for (Index t = whole; t < depth; ++t) {
      out[h] += panel[t * height + h] * spread_probe[t * kPanelRows];
    }
  }
}

LONGSHOT_AVX2 void row_products(const Panels& rows, const float* spread_probe, float* out) {
  const float* panel = rows.values;
  Index left = rows.rows;
  for (; left >= kPanelRows; left -= kPanelRows) {
    _mm_storeu_ps(out, panel_times_probe(panel, rows.depth, spread_probe));
    panel += kPanelRows * rows.depth;
    out += kPanelRows;
  }
  if (left > 0) row_products_of_rest(panel, left, rows.depth, spread_probe, out);
}

// exp(x) = 2^n exp(r) with x = n log 2 + r.
struct Exponential {
  __m256 power;  // 2^n
  __m256 small;  // exp(r) - 1
};

LONGSHOT_AVX2_INLINE Exponential exponential(__m256 x) {
  const __m256 n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504F)),
                                   _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  // log 2 in two parts, the first with few enough bits that its product with n is exact.
  __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693359375F), x);
  r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-2.12194440e-4F), r);
  // The Taylor series to the eighth power: |r| <= 0.35, so the rest is below 3e-10 of r.
  __m256 series = _mm256_set1_ps(1.0F / 40320.0F);
  for (const float coefficient :
       {1.0F / 5040.0F, 1.0F / 720.0F, 1.0F / 120.0F, 1.0F / 24.0F, 1.0F / 6.0F, 0.5F}) {
    series = _mm256_fmadd_ps(series, r, _mm256_set1_ps(coefficient));
  }
  const __m256 small = _mm256_fmadd_ps(_mm256_mul_ps(series, r), r, r);
  const __m256i exponent =
      _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
  return {_mm256_castsi256_ps(exponent), small};
}

// exp(x) - 1 = 2^n (exp(r) - 1) + (2^n - 1). For n = 0, where small differences live, that is the
// series alone.
LONGSHOT_AVX2_INLINE __m256 exponential_minus_one(__m256 x) {
  // Below this the result is -1 in single precision.
  const auto [power, small] = exponential(_mm256_max_ps(x, _mm256_set1_ps(-40.0F)));
  return _mm256_fmadd_ps(power, small, _mm256_sub_ps(power, _mm256_set1_ps(1.0F)));
}

LONGSHOT_AVX2 void exponentials_minus_one(float* values, Index count, float scale) {
  const __m256 factor = _mm256_set1_ps(scale);
  Index i = 0;
  for (; i + kVector <= count; i += kVector) {
    const __m256 x =
        _mm256_min_ps(_mm256_mul_ps(_mm256_loadu_ps(values + i), factor), _mm256_setzero_ps());
    _mm256_storeu_ps(values + i, exponential_minus_one(x));
  }
  if (i == count) return;
  float rest[kVector] = {};
  std::copy(values + i, values + count, rest);
  exponentials_minus_one(rest, kVector, scale);
  std::copy_n(rest, count - i, values + i);
}

LONGSHOT_AVX2 void exponentials(float* values, Index count) {
  Index i = 0;
  for (; i + kVector <= count; i += kVector) {
    // What is no number comes second, and so stays none.
    const __m256 x =
        _mm256_max_ps(_mm256_set1_ps(kLeastExponent),
                      _mm256_min_ps(_mm256_set1_ps(kMostExponent), _mm256_loadu_ps(values + i)));
    const auto [power, small] = exponential(x);
    _mm256_storeu_ps(values + i, _mm256_fmadd_ps(power, small, power));
  }
  if (i == count) return;
  float rest[kVector] = {};
  std::copy(values + i, values + count, rest);
  exponentials(rest, kVector);
  std::copy_n(rest, count - i, values + i);
}

LONGSHOT_AVX2 std::uint32_t below(const float* values, const float* limits) {
  std::uint32_t mask = 0;
  for (int v = 0; v < kVectors; ++v) {
    const __m256 less = _mm256_cmp_ps(_mm256_loadu_ps(values + v * kVector),
                                      _mm256_loadu_ps(limits + v * kVector), _CMP_LT_OQ);
    mask |= static_cast<std::uint32_t>(_mm256_movemask_ps(less)) << (v * kVector);
  }
  return mask;
}

}  // namespace
}  // namespace avx2

const TileKernels* avx2_tile_kernels() {
  static constexpr TileKernels kKernels = {"avx2",
                                           avx2::products,
                                           avx2::largest_products,
                                           avx2::add_products,
                                           avx2::add_row_products,
                                           avx2::code_sums,
                                           avx2::sums_of_squares,
                                           avx2::row_products,
                                           avx2::exponentials_minus_one,
                                           avx2::exponentials,
                                           avx2::below};
  static const bool supported = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return supported ? &kKernels : nullptr;
}

}  // namespace longshot

#else

namespace longshot {

const TileKernels* avx2_tile_kernels() {
  return nullptr;
}

}  // namespace longshot

#endif
