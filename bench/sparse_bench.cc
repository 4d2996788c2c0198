// SPDX-License-Identifier: Apache-2.0
// Coding, and training one person: 20 samples of dimension 41 (7 x 6 pixels), K = 12, T0 = 5, ten
// sweeps and no early stop, on one core.
#include <benchmark/benchmark.h>

#include "longshot/sparse/ksvd.h"
#include "longshot/sparse/omp.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

constexpr Index kAtoms = 12;
constexpr Index kSparsity = 5;
constexpr int kSweeps = 10;

template <typename Options>
Options ten_sweeps() {
  Options options;
  options.atoms = kAtoms;
  options.sparsity = kSparsity;
  options.max_sweeps = kSweeps;
  options.relative_tolerance = 0.0;
  return options;
}

void omp_one_signal(benchmark::State& state) {
  const Matrix dictionary = small_problems::unit_dictionary(41, kAtoms, 1);
  const Vector signal = small_problems::gaussian(41, 1, 2);
  const Matrix gram = dictionary.transpose() * dictionary;
  const Vector correlations = dictionary.transpose() * signal;
  const OmpOptions options{state.range(0), 0.0};
  OmpWorkspace workspace;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        workspace.pursue(gram, correlations.data(), signal.squaredNorm(), options));
}
BENCHMARK(omp_one_signal)->Arg(5)->Arg(12);

void train_ksvd(benchmark::State& state, KsvdUpdate update, Index d) {
  const Matrix samples = small_problems::person(1, d);
  KsvdOptions options = ten_sweeps<KsvdOptions>();
  options.update = update;
  for (auto _ : state) benchmark::DoNotOptimize(ksvd(samples, options));
  state.counters["sweeps"] = ksvd(samples, options).summary.sweeps;
}
BENCHMARK_CAPTURE(train_ksvd, exact, KsvdUpdate::kExact, 41)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(train_ksvd, approximate, KsvdUpdate::kApproximate, 41)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(train_ksvd, exact_d300, KsvdUpdate::kExact, 300)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace longshot

BENCHMARK_MAIN();
