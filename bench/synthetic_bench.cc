// SPDX-License-Identifier: Apache-2.0
// Synthetic people with one photo each, on all cores: people per second of wall time. The aim is
// more than 2,000 of 48x40 on two cores.
#include <benchmark/benchmark.h>

#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {
namespace {

void synthetic_people(benchmark::State& state) {
  SyntheticPhotoOptions options;
  options.size = {state.range(0), state.range(1)};
  const Index people = 2000 * 48 * 40 / options.size.pixels();
  Index first = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(take_photos(1, first, people, options, 0));
    first += people;
  }
  state.SetItemsProcessed(state.iterations() * people);
}
BENCHMARK(synthetic_people)
    ->Args({48, 40})
    ->Args({240, 200})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace longshot

BENCHMARK_MAIN();
