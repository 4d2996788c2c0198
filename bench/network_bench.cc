// SPDX-License-Identifier: Apache-2.0
// The built-in network on one core, for crops of 12x10: time of a crop in batches and alone, beside
// a matrix product of OpenBLAS with as many multiply-adds as the network's convolutions have.
#include <benchmark/benchmark.h>

#include "longshot/core/parallel.h"
#include "longshot/core/random.h"
#include "longshot/feature/life_network.h"

namespace longshot {
namespace {

constexpr Size kCrop = {12, 10};
constexpr double kMultiplyAdds = 107e6;  // of a crop

Matrix noise(Index rows, Index cols) {
  Random random(1);
  return Matrix::NullaryExpr(rows, cols, [&] { return random.uniform(); });
}

void network(benchmark::State& state) {
  set_thread_count(1);
  const LifeNetwork network(life_network(), kCrop, FaceFrame(), Registration());
  const Matrix crops = noise(kCrop.pixels(), state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(network.features(crops));
  state.counters["ms a crop"] =
      benchmark::Counter(static_cast<double>(state.iterations() * crops.cols()) / 1000.0,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(network)->Arg(1)->Arg(256)->Unit(benchmark::kMillisecond);

void matrix_product(benchmark::State& state) {
  set_thread_count(1);
  constexpr Index kSide = 1024;
  const MatrixF a = noise(kSide, kSide).cast<float>();
  const MatrixF b = noise(kSide, kSide).cast<float>();
  MatrixF c(kSide, kSide);
  for (auto _ : state) {
    c.noalias() = a * b;
    benchmark::DoNotOptimize(c.data());
  }
  constexpr double kCrops = static_cast<double>(kSide * kSide * kSide) / kMultiplyAdds;
  state.counters["ms a crop"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kCrops / 1000.0,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(matrix_product)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace longshot

BENCHMARK_MAIN();
