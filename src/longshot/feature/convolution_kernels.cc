// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/convolution_kernels.h"

#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#define LONGSHOT_AVX2 __attribute__((target("avx2,fma")))
#endif
// Each function takes the instructions of the one that it is inlined into.
#define LONGSHOT_INLINE __attribute__((always_inline)) inline

namespace longshot {
namespace {

constexpr Index kLanes = 8;
constexpr int kMostColumns = 6;  // with two vectors of outputs 12 sums, which AVX2 has room for
constexpr Index kAhead =
    32 * kPanelOutputs;  // the weights of all layers are more than a cache holds
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

template <typename Lane>
LONGSHOT_INLINE void load(const float* from, Lane& to) {
  std::memcpy(&to, from, sizeof(Lane));
}

template <typename Lane>
LONGSHOT_INLINE void store(const Lane& from, float* to) {
  std::memcpy(to, &from, sizeof(Lane));
}

template <int kColumns>
LONGSHOT_INLINE void column_products(const float* panel, const float* const* starts,
                                     const PatchRuns& runs, float* out, Index out_stride) {
  Lanes low[kColumns] = {};
  Lanes high[kColumns] = {};
  for (Index run = 0; run < runs.count; ++run) {
    const float* from[kColumns];
#pragma GCC unroll 6
    for (int c = 0; c < kColumns; ++c) from[c] = starts[c] + run * runs.stride;
    for (Index i = 0; i < runs.length; ++i, panel += kPanelOutputs) {
      Lanes first;
      Lanes second;
      load(panel, first);
      load(panel + kLanes, second);
      __builtin_prefetch(panel + kAhead);
#pragma GCC unroll 6
      for (int c = 0; c < kColumns; ++c) {
        low[c] += first * from[c][i];
        high[c] += second * from[c][i];
      }
    }
  }
#pragma GCC unroll 6
  for (int c = 0; c < kColumns; ++c) {
    store(low[c], out + c * out_stride);
    store(high[c], out + c * out_stride + kLanes);
  }
}

LONGSHOT_INLINE void all_products(const float* panel, const float* const* starts, Index pixels,
                                  const PatchRuns& runs, float* out, Index out_stride) {
  for (; pixels >= kMostColumns; pixels -= kMostColumns) {
    column_products<kMostColumns>(panel, starts, runs, out, out_stride);
    starts += kMostColumns;
    out += kMostColumns * out_stride;
  }
  if (pixels == 5) column_products<5>(panel, starts, runs, out, out_stride);
  if (pixels == 4) column_products<4>(panel, starts, runs, out, out_stride);
  if (pixels == 3) column_products<3>(panel, starts, runs, out, out_stride);
  if (pixels == 2) column_products<2>(panel, starts, runs, out, out_stride);
  if (pixels == 1) column_products<1>(panel, starts, runs, out, out_stride);
}

// B' of Lavin and Gray, F(2, 3): four inputs, `step` apart, to four points.
template <typename Lane>
LONGSHOT_INLINE void to_points(const Lane* d, int step, Lane* out) {
  out[0] = d[0] - d[2 * step];
  out[1] = d[step] + d[2 * step];
  out[2] = d[2 * step] - d[step];
  out[3] = d[step] - d[3 * step];
}

// A' of F(2, 3): four points, `step` apart, to two outputs.
template <typename Lane>
LONGSHOT_INLINE void from_points(const Lane* m, int step, Lane* out) {
  out[0] = m[0] + m[step] + m[2 * step];
  out[1] = m[step] - m[2 * step] - m[3 * step];
}

template <typename Lane>
LONGSHOT_INLINE void enter_lanes(const float* patch, Index row_stride, Index channels, float* out,
                                 Index plane) {
  Lane columns[kWinogradPoints];  // of the patch, each turned into points
  for (int x = 0; x < kWinogradPatch; ++x) {
    Lane column[kWinogradPatch];
    for (int y = 0; y < kWinogradPatch; ++y) load(patch + y * row_stride + x * channels, column[y]);
    to_points(column, 1, columns + x * kWinogradPatch);
  }
  for (int y = 0; y < kWinogradPatch; ++y) {
    Lane row[kWinogradPatch];
    to_points(columns + y, kWinogradPatch, row);
    for (int x = 0; x < kWinogradPatch; ++x) store(row[x], out + (y * kWinogradPatch + x) * plane);
  }
}

template <typename Lane>
LONGSHOT_INLINE void leave_lanes(const float* points, Index plane, Index channels, Index rows,
                                 Index cols, float* out, Index row_stride) {
  Lane columns[kWinogradPatch * kWinogradSide];
  for (int x = 0; x < kWinogradPatch; ++x) {
    Lane column[kWinogradPatch];
    for (int y = 0; y < kWinogradPatch; ++y)
      load(points + (y * kWinogradPatch + x) * plane, column[y]);
    from_points(column, 1, columns + x * kWinogradSide);
  }
  for (int y = 0; y < rows; ++y) {
    Lane row[kWinogradSide];
    from_points(columns + y, kWinogradSide, row);
    for (int x = 0; x < cols; ++x) store(row[x], out + y * row_stride + x * channels);
  }
}

LONGSHOT_INLINE void enter_all(const float* patch, Index row_stride, Index channels, float* out,
                               Index plane) {
  Index c = 0;
  for (; c + kLanes <= channels; c += kLanes)
    enter_lanes<Lanes>(patch + c, row_stride, channels, out + c, plane);
  for (; c < channels; ++c) enter_lanes<float>(patch + c, row_stride, channels, out + c, plane);
}

LONGSHOT_INLINE void leave_all(const float* points, Index plane, Index channels, Index rows,
                               Index cols, float* out, Index row_stride) {
  Index c = 0;
  for (; c + kLanes <= channels; c += kLanes)
    leave_lanes<Lanes>(points + c, plane, channels, rows, cols, out + c, row_stride);
  for (; c < channels; ++c)
    leave_lanes<float>(points + c, plane, channels, rows, cols, out + c, row_stride);
}

void products(const float* panel, const float* const* starts, Index pixels, const PatchRuns& runs,
              float* out, Index out_stride) {
  all_products(panel, starts, pixels, runs, out, out_stride);
}
void enter(const float* patch, Index row_stride, Index channels, float* out, Index plane) {
  enter_all(patch, row_stride, channels, out, plane);
}
void leave(const float* points, Index plane, Index channels, Index rows, Index cols, float* out,
           Index row_stride) {
  leave_all(points, plane, channels, rows, cols, out, row_stride);
}

#ifdef LONGSHOT_AVX2
LONGSHOT_AVX2 void products_avx2(const float* panel, const float* const* starts, Index pixels,
                                 const PatchRuns& runs, float* out, Index out_stride) {
  all_products(panel, starts, pixels, runs, out, out_stride);
}
LONGSHOT_AVX2 void enter_avx2(const float* patch, Index row_stride, Index channels, float* out,
                              Index plane) {
  enter_all(patch, row_stride, channels, out, plane);
}
LONGSHOT_AVX2 void leave_avx2(const float* points, Index plane, Index channels, Index rows,
                              Index cols, float* out, Index row_stride) {
  leave_all(points, plane, channels, rows, cols, out, row_stride);
}
#endif

}  // namespace

const ConvolutionKernels& portable_convolution_kernels() {
  static constexpr ConvolutionKernels kKernels = {"portable", products, enter, leave};
  return kKernels;
}

const ConvolutionKernels* avx2_convolution_kernels() {
#ifdef LONGSHOT_AVX2
  static constexpr ConvolutionKernels kKernels = {"AVX2", products_avx2, enter_avx2, leave_avx2};
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has ? &kKernels : nullptr;
#else
  return nullptr;
#endif
}

const ConvolutionKernels& convolution_kernels() {
  static const ConvolutionKernels& best = avx2_convolution_kernels() != nullptr
                                              ? *avx2_convolution_kernels()
                                              : portable_convolution_kernels();
  return best;
}

}  // namespace longshot
