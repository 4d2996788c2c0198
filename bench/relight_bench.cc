// SPDX-License-Identifier: Apache-2.0
// Extending one 48 x 40 photo to the paper's 20 images, and each step of it, on one core.
#include <benchmark/benchmark.h>

#include "longshot/relight/light_sets.h"
#include "longshot/relight/relight.h"
#include "longshot/relight/rendered_face.h"

namespace longshot {
namespace {

constexpr Size kSize = {48, 40};

struct Scene {
  RelightModel model;
  Image photo;
};

const Scene& scene() {
  static const Scene value = [] {
    const NormalMap map = test_face_map(kSize);
    const Vector albedo = test_albedo(kSize);
    return Scene{{map, AlbedoPrior{kSize, albedo, (0.2 * albedo).cwiseAbs2()}, mean_face_shape()},
                 render(map, albedo, 0.6 * unit_vector({30, 20}))};
  }();
  return value;
}

void light_paper(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(estimate_light_paper(scene().photo, scene().model.normals));
  }
}
BENCHMARK(light_paper);

void light_single(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        estimate_light(scene().photo, scene().model.normals, scene().model.prior->mean));
  }
}
BENCHMARK(light_single);

void light_several(benchmark::State& state) {
  const Matrix candidates = hemisphere_directions();
  for (auto _ : state) {
    benchmark::DoNotOptimize(estimate_several_lights(scene().photo, scene().model.normals,
                                                     scene().model.prior->mean, candidates));
  }
}
BENCHMARK(light_several);

void albedo(benchmark::State& state) {
  const LightEstimate light =
      estimate_light(scene().photo, scene().model.normals, scene().model.prior->mean);
  AlbedoOptions options;
  options.noise = static_cast<AlbedoNoise>(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(estimate_albedo(scene().photo, scene().model.normals,
                                             *scene().model.prior, light, options));
  }
}
BENCHMARK(albedo)
    ->Arg(static_cast<int>(AlbedoNoise::kNormals))
    ->Arg(static_cast<int>(AlbedoNoise::kCosine));

void albedo_locally(benchmark::State& state) {
  const LightEstimate light = estimate_light_paper(scene().photo, scene().model.normals);
  for (auto _ : state) {
    benchmark::DoNotOptimize(estimate_albedo_locally(scene().photo, scene().model.normals, light));
  }
}
BENCHMARK(albedo_locally);

void relight_20(benchmark::State& state) {
  RelightOptions options;  // ten lights and their flips
  if (state.range(0) != 0) options = paper_profile();
  const Relighter relighter(scene().model, options);
  for (auto _ : state) benchmark::DoNotOptimize(relighter.relight(scene().photo));
}
BENCHMARK(relight_20)->ArgName("paper")->Arg(0)->Arg(1);

void relight_58(benchmark::State& state) {
  const Relighter relighter(scene().model, best_profile());
  for (auto _ : state) benchmark::DoNotOptimize(relighter.relight(scene().photo));
}
BENCHMARK(relight_58);

void prepare_relighter(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Relighter(scene().model, best_profile()));
}
BENCHMARK(prepare_relighter);

}  // namespace
}  // namespace longshot

BENCHMARK_MAIN();
