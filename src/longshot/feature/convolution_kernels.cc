// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/convolution_kernels.h"

#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define LONGSHOT_X86
// Without FMA: each product is rounded before it is added, as on any processor.
#define LONGSHOT_AVX2 __attribute__((target("avx2")))
#define LONGSHOT_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
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
using WholeLanes = std::int32_t __attribute__((vector_size(kLanes * sizeof(std::int32_t))));
using ByteLanes = std::uint8_t __attribute__((vector_size(kLanes)));

template <typename Lane, typename Number>
LONGSHOT_INLINE void load(const Number* from, Lane& to) {
  std::memcpy(&to, from, sizeof(Lane));
}

template <typename Lane, typename Number>
LONGSHOT_INLINE void store(const Lane& from, Number* to) {
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

LONGSHOT_INLINE void all_to_values(const std::int32_t* sums, Index sum_stride, Index outputs,
                                   Index pixels, const SumUnits& units, float* values) {
  for (Index p = 0; p < pixels; ++p, sums += sum_stride, values += outputs) {
    Index o = 0;
    for (; o + kLanes <= outputs; o += kLanes) {
      WholeLanes sum;
      Lanes scale;
      Lanes bias;
      load(sums + o, sum);
      load(units.scale + o, scale);
      load(units.bias + o, bias);
      const Lanes product = __builtin_convertvector(sum, Lanes) * units.unit * scale;
      store(product + bias, values + o);
    }
    for (; o < outputs; ++o) {
      const float product = static_cast<float>(sums[o]) * units.unit * units.scale[o];
      values[o] = product + units.bias[o];
    }
  }
}

LONGSHOT_INLINE void all_to_whole(const float* values, Index count, float factor,
                                  std::uint8_t* whole) {
  Index i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Lanes value;
    load(values + i, value);
    const Lanes product = value * factor;
    store(__builtin_convertvector(__builtin_convertvector(product + 0.5F, WholeLanes), ByteLanes),
          whole + i);
  }
  for (; i < count; ++i) {
    const float product = values[i] * factor;
    whole[i] = static_cast<std::uint8_t>(product + 0.5F);
  }
}

void products(const float* panel, const float* const* starts, Index pixels, const PatchRuns& runs,
              float* out, Index out_stride) {
  all_products(panel, starts, pixels, runs, out, out_stride);
}
void whole_products(const std::int8_t* panel, const std::uint8_t* const* starts, Index pixels,
                    const PatchRuns& runs, std::int32_t* out, Index out_stride) {
  for (Index p = 0; p < pixels; ++p, out += out_stride) {
    std::int32_t sums[kPanelOutputs] = {};
    const std::int8_t* weights = panel;
    for (Index run = 0; run < runs.count; ++run) {
      const std::uint8_t* const from = starts[p] + run * runs.stride;
      for (Index i = 0; i < runs.length; i += kGroup) {
        for (Index o = 0; o < kPanelOutputs; ++o, weights += kGroup) {
          for (Index k = 0; k < kGroup; ++k) sums[o] += weights[k] * from[i + k];
        }
      }
    }
    std::memcpy(out, sums, sizeof(sums));
  }
}
void to_values(const std::int32_t* sums, Index sum_stride, Index outputs, Index pixels,
               const SumUnits& units, float* values) {
  all_to_values(sums, sum_stride, outputs, pixels, units, values);
}
void to_whole(const float* values, Index count, float factor, std::uint8_t* whole) {
  all_to_whole(values, count, factor, whole);
}

#ifdef LONGSHOT_X86
LONGSHOT_AVX2 void products_avx2(const float* panel, const float* const* starts, Index pixels,
                                 const PatchRuns& runs, float* out, Index out_stride) {
  all_products(panel, starts, pixels, runs, out, out_stride);
}
LONGSHOT_AVX2 void to_values_avx2(const std::int32_t* sums, Index sum_stride, Index outputs,
                                  Index pixels, const SumUnits& units, float* values) {
  all_to_values(sums, sum_stride, outputs, pixels, units, values);
}
LONGSHOT_AVX2 void to_whole_avx2(const float* values, Index count, float factor,
                                 std::uint8_t* whole) {
  all_to_whole(values, count, factor, whole);
}

int group_at(const std::uint8_t* from) {
  int group;
  static_assert(sizeof(group) == kGroup);
  std::memcpy(&group, from, sizeof(group));
  return group;
}

// Pairs of products fit in 16 bits, since inputs have seven bits.
template <int kColumns>
LONGSHOT_AVX2 void column_sums_avx2(const std::int8_t* panel, const std::uint8_t* const* starts,
                                    const PatchRuns& runs, std::int32_t* out, Index out_stride) {
  const __m256i ones = _mm256_set1_epi16(1);
  __m256i low[kColumns];
  __m256i high[kColumns];
#pragma GCC unroll 4
  for (int c = 0; c < kColumns; ++c) low[c] = high[c] = _mm256_setzero_si256();
  for (Index run = 0; run < runs.count; ++run) {
    for (Index i = 0; i < runs.length; i += kGroup, panel += kPanelOutputs * kGroup) {
      const auto* const weights = reinterpret_cast<const __m256i*>(panel);
      const __m256i first = _mm256_loadu_si256(weights);
      const __m256i second = _mm256_loadu_si256(weights + 1);
#pragma GCC unroll 4
      for (int c = 0; c < kColumns; ++c) {
        const __m256i group = _mm256_set1_epi32(group_at(starts[c] + run * runs.stride + i));
        low[c] =
            _mm256_add_epi32(low[c], _mm256_madd_epi16(_mm256_maddubs_epi16(group, first), ones));
        high[c] =
            _mm256_add_epi32(high[c], _mm256_madd_epi16(_mm256_maddubs_epi16(group, second), ones));
      }
    }
  }
#pragma GCC unroll 4
  for (int c = 0; c < kColumns; ++c) {
    auto* const to = reinterpret_cast<__m256i*>(out + c * out_stride);
    _mm256_storeu_si256(to, low[c]);
    _mm256_storeu_si256(to + 1, high[c]);
  }
}

template <int kColumns>
LONGSHOT_VNNI void column_sums_vnni(const std::int8_t* panel, const std::uint8_t* const* starts,
                                    const PatchRuns& runs, std::int32_t* out, Index out_stride) {
  __m512i sums[kColumns];
#pragma GCC unroll 12
  for (int c = 0; c < kColumns; ++c) sums[c] = _mm512_setzero_si512();
  for (Index run = 0; run < runs.count; ++run) {
    const std::uint8_t* from[kColumns];
#pragma GCC unroll 12
    for (int c = 0; c < kColumns; ++c) from[c] = starts[c] + run * runs.stride;
    for (Index i = 0; i < runs.length; i += kGroup, panel += kPanelOutputs * kGroup) {
      const __m512i weights = _mm512_loadu_si512(panel);
#pragma GCC unroll 12
      for (int c = 0; c < kColumns; ++c) {
        sums[c] = _mm512_dpbusd_epi32(sums[c], _mm512_set1_epi32(group_at(from[c] + i)), weights);
      }
    }
  }
#pragma GCC unroll 12
  for (int c = 0; c < kColumns; ++c) _mm512_storeu_si512(out + c * out_stride, sums[c]);
}

LONGSHOT_AVX2 void whole_products_avx2(const std::int8_t* panel, const std::uint8_t* const* starts,
                                       Index pixels, const PatchRuns& runs, std::int32_t* out,
                                       Index out_stride) {
  constexpr int kMost = 4;
  for (; pixels >= kMost; pixels -= kMost, starts += kMost, out += kMost * out_stride) {
    column_sums_avx2<kMost>(panel, starts, runs, out, out_stride);
  }
  for (; pixels > 0; --pixels, ++starts, out += out_stride) {
    column_sums_avx2<1>(panel, starts, runs, out, out_stride);
  }
}

LONGSHOT_VNNI void whole_products_vnni(const std::int8_t* panel, const std::uint8_t* const* starts,
                                       Index pixels, const PatchRuns& runs, std::int32_t* out,
                                       Index out_stride) {
  constexpr int kMost = 12;
  constexpr int kSome = 4;
  for (; pixels >= kMost; pixels -= kMost, starts += kMost, out += kMost * out_stride) {
    column_sums_vnni<kMost>(panel, starts, runs, out, out_stride);
  }
  for (; pixels >= kSome; pixels -= kSome, starts += kSome, out += kSome * out_stride) {
    column_sums_vnni<kSome>(panel, starts, runs, out, out_stride);
  }
  for (; pixels > 0; --pixels, ++starts, out += out_stride) {
    column_sums_vnni<1>(panel, starts, runs, out, out_stride);
  }
}
#endif

}  // namespace

const ConvolutionKernels& portable_convolution_kernels() {
  static constexpr ConvolutionKernels kKernels = {"portable", products, whole_products, to_values,
                                                  to_whole};
  return kKernels;
}

const ConvolutionKernels* avx2_convolution_kernels() {
#ifdef LONGSHOT_X86
  static constexpr ConvolutionKernels kKernels = {"AVX2", products_avx2, whole_products_avx2,
                                                  to_values_avx2, to_whole_avx2};
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has ? &kKernels : nullptr;
#else
  return nullptr;
#endif
}

const ConvolutionKernels* vnni_convolution_kernels() {
#ifdef LONGSHOT_X86
  static constexpr ConvolutionKernels kKernels = {
      "AVX-512 VNNI", products_avx2, whole_products_vnni, to_values_avx2, to_whole_avx2};
  static const bool has =
      avx2_convolution_kernels() != nullptr && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
  return has ? &kKernels : nullptr;
#else
  return nullptr;
#endif
}

const ConvolutionKernels& convolution_kernels() {
  static const ConvolutionKernels& best =
      vnni_convolution_kernels() != nullptr   ? *vnni_convolution_kernels()
      : avx2_convolution_kernels() != nullptr ? *avx2_convolution_kernels()
                                              : portable_convolution_kernels();
  return best;
}

}  // namespace longshot
