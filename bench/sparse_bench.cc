// SPDX-License-Identifier: Apache-2.0
// Coding, and training one person: 20 samples of dimension 41 (7 x 6 pixels), K = 12, T0 = 5, ten
// sweeps and no early stop, on one core.
#include <benchmark/benchmark.h>

#include "longshot/sparse/joint.h"
#include "longshot/sparse/kernel.h"
#include "longshot/sparse/kernel_dictionary.h"
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

// The kernel matrices are part of the work.
void train_kernel(benchmark::State& state, KernelUpdate update) {
  const Matrix samples = small_problems::person(1);
  const Kernel kernel{KernelKind::kRbf, 2.0};
  KernelDictionaryOptions options = ten_sweeps<KernelDictionaryOptions>();
  options.update = update;
  int sweeps = 0;
  for (auto _ : state)
    sweeps = learn_kernel_dictionary(kernel_gram(kernel, samples), options).summary.sweeps;
  state.counters["sweeps"] = sweeps;
}
BENCHMARK_CAPTURE(train_kernel, mod, KernelUpdate::kMod)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(train_kernel, ksvd, KernelUpdate::kKsvd)->Unit(benchmark::kMicrosecond);

void train_joint(benchmark::State& state, KernelUpdate update, JointNormalisation normalisation) {
  const Matrix high = small_problems::person(1, 150);
  const Matrix low = small_problems::gaussian(41, 150, 2) * high;
  const Kernel kernel{KernelKind::kRbf, 2.0};
  JointDictionaryOptions options = ten_sweeps<JointDictionaryOptions>();
  options.update = update;
  options.normalisation = normalisation;
  int sweeps = 0;
  for (auto _ : state)
    sweeps = learn_joint_dictionary(kernel_gram(kernel, high), kernel_gram(kernel, low), options)
                 .summary.sweeps;
  state.counters["sweeps"] = sweeps;
}
BENCHMARK_CAPTURE(train_joint, mod, KernelUpdate::kMod, JointNormalisation::kJoint)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(train_joint, ksvd, KernelUpdate::kKsvd, JointNormalisation::kJoint)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(train_joint, paper, KernelUpdate::kMod, JointNormalisation::kPaper)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace longshot

BENCHMARK_MAIN();
