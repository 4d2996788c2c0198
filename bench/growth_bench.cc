// SPDX-License-Identifier: Apache-2.0
// How the cost of enrolling one person, and of comparing a batch of probes with people so few that
// they are not shared between cores, grows with atoms, photos per person and resolution. Per
// second; one variable at a time moves away from 12 atoms, one photo and 7 x 6 pixels.
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "longshot/core/parallel.h"
#include "longshot/recognize/method.h"
#include "longshot/relight/light_sets.h"
#include "longshot/relight/mean_face.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {
namespace {

constexpr Size kHigh = {48, 40};
constexpr Index kPeople = 2000;
constexpr Index kProbes = 240;

struct Setting {
  std::string method = "slrfr";
  Index atoms = 12;
  Index photos = 1;
  Size low = {7, 6};
};

struct Trained {
  std::shared_ptr<const Extender> extender;
  std::unique_ptr<Recognizer> recognizer;
  std::vector<Matrix> photos;  // of one person each
};

Trained train(const Setting& setting) {
  MethodOptions options;
  options.profile = Profile::kBest;
  options.tune = false;
  options.parameters["atoms"] = std::to_string(setting.atoms);
  RelightModel relight;
  relight.normals = normals_of_shape(mean_face_shape(), {}, kHigh);
  relight.shape = mean_face_shape();
  Trained trained;
  trained.extender = std::make_shared<Extender>(
      std::make_shared<Relighter>(std::move(relight), relight_options(options, ten_lights())),
      FaceGeometry{{}, kHigh, setting.low, {}});
  SyntheticPhotoOptions photo_options;
  photo_options.size = kHigh;
  photo_options.lighting = frontal_lighting();
  TrainingSet training;
  training.extender = trained.extender;
  training.photos_high.resize(kHigh.pixels(), 0);
  training.enrolled_high = take_photos(1, 0, 200, photo_options, 0);
  trained.recognizer = make_recognizer(setting.method, options);
  trained.recognizer->learn(training);
  trained.photos.assign(kPeople, Matrix(kHigh.pixels(), setting.photos));
  for (Index k = 0; k < setting.photos; ++k) {
    const Matrix all = take_photos(1, 0, kPeople, photo_options, static_cast<std::uint64_t>(k));
    for (Index i = 0; i < kPeople; ++i)
      trained.photos[static_cast<std::size_t>(i)].col(k) = all.col(i);
  }
  return trained;
}

void enrol(benchmark::State& state, const Setting& setting) {
  const Trained trained = train(setting);
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        trained.recognizer->enrol(trained.extender->extend(trained.photos[next++ % kPeople])));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

void search(benchmark::State& state, const Setting& setting) {
  const Trained trained = train(setting);
  std::vector<Template> people(static_cast<std::size_t>(kPeople));
  parallel_for(kPeople, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    people[at] = trained.recognizer->enrol(trained.extender->extend(trained.photos[at]));
  });
  const std::unique_ptr<Searcher> searcher = trained.recognizer->make_searcher();
  searcher->add_all(people);
  SyntheticPhotoOptions photo_options;
  photo_options.size = kHigh;
  const Matrix probes = trained.extender->degrade(take_photos(1, 0, kProbes, photo_options, 100));
  for (auto _ : state) benchmark::DoNotOptimize(searcher->search(probes, 5));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * kPeople * kProbes);
}

void add_setting(const std::string& name, const Setting& setting) {
  benchmark::RegisterBenchmark(("enrol/" + name).c_str(), enrol, setting)->MinTime(0.3);
  benchmark::RegisterBenchmark(("search/" + name).c_str(), search, setting)
      ->UseRealTime()
      ->MinTime(0.3);
}

void add_settings() {
  for (const std::string method : {"slrfr", "kernel", "joint", "longshot"}) {
    add_setting(method, {method});
    for (const Index atoms : {6, 9, 15}) {
      add_setting(method + "/atoms:" + std::to_string(atoms), {method, atoms});
    }
    for (const Index photos : {2, 4}) {
      add_setting(method + "/photos:" + std::to_string(photos), {method, 12, photos});
    }
    for (const Size low : {Size{12, 10}, Size{19, 16}}) {
      add_setting(method + "/size:" + to_string(low), {method, 12, 1, low});
    }
  }
}

}  // namespace
}  // namespace longshot

int main(int argc, char** argv) {
  longshot::add_settings();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
