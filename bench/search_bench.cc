// SPDX-License-Identifier: Apache-2.0
// Identification against what one would use instead, on the same synthetic people at 7 x 6 pixels
// with all cores: how many people a second each compares with one probe (people_per_s). Batches are
// of kProbes probes. LONGSHOT_BENCH_PEOPLE sets the number of people, 20000 otherwise.
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include <Eigen/Dense>
#include <benchmark/benchmark.h>
#include <cblas.h>
#include <faiss/IndexFlat.h>
#include <faiss/IndexHNSW.h>
#include <faiss/IndexIVFFlat.h>
#include <hnswlib/hnswlib.h>
#include <opencv2/face.hpp>
#include <opencv2/flann.hpp>
#include <opencv2/imgproc.hpp>

#include "longshot/core/parallel.h"
#include "longshot/feature/feature_space.h"
#include "longshot/recognize/method.h"
#include "longshot/relight/light_sets.h"
#include "longshot/relight/mean_face.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {
namespace {

constexpr Size kHigh = {48, 40};
constexpr Size kLow = {7, 6};
constexpr Index kProbes = 480;
constexpr Index kTop = 5;
// OpenCV's recognisers keep much per person and search one probe at a time.
constexpr Index kFewPeople = 2000;
constexpr Index kFewProbes = 8;
// Of graphs, as their authors propose.
constexpr int kNeighbours = 16;
constexpr std::int64_t kMostEffort = 1 << 16;

std::shared_ptr<const Extender> make_extender() {
  RelightModel relight;
  relight.normals = normals_of_shape(mean_face_shape(), {}, kHigh);
  relight.shape = mean_face_shape();
  MethodOptions options;
  options.profile = Profile::kBest;
  return std::make_shared<Extender>(
      std::make_shared<Relighter>(std::move(relight), relight_options(options, ten_lights())),
      FaceGeometry{{}, kHigh, kLow, {}});
}

// The people, their photos and the probes; made once.
struct Problem {
  Index people = 20000;
  std::shared_ptr<const Extender> extender = make_extender();
  Matrix photos;  // N_H x people
  Matrix probes;  // N_L x kProbes

  Problem() {
    if (const char* text = std::getenv("LONGSHOT_BENCH_PEOPLE")) people = std::atol(text);
    SyntheticPhotoOptions options;
    options.size = kHigh;
    options.lighting = frontal_lighting();
    photos = take_photos(1, 0, people, options, 0);
    options.lighting.reset();
    probes = extender->degrade(take_photos(1, 0, kProbes, options, 1));
  }
  static const Problem& get() {
    static const Problem problem;
    return problem;
  }
};

void count_people(benchmark::State& state, Index people, Index probes) {
  state.counters["people_per_s"] = benchmark::Counter(
      static_cast<double>(people * probes), benchmark::Counter::kIsIterationInvariantRate);
}

struct Enrolled {
  std::unique_ptr<Recognizer> recognizer;
  std::unique_ptr<Searcher> searcher;
};

// The K = 12 of the defaults, without tuning.
Enrolled enrol_everybody(const std::string& method) {
  const Problem& problem = Problem::get();
  MethodOptions options;
  options.profile = Profile::kBest;
  options.tune = false;
  Enrolled enrolled{make_recognizer(method, options), nullptr};
  TrainingSet training;
  training.extender = problem.extender;
  training.photos_high.resize(kHigh.pixels(), 0);
  training.enrolled_high = problem.photos.leftCols(std::min<Index>(problem.people, 1000));
  enrolled.recognizer->learn(training);
  enrolled.searcher = enrolled.recognizer->make_searcher();
  constexpr Index kBlock = 1000;
  std::vector<Template> people(static_cast<std::size_t>(kBlock));
  for (Index first = 0; first < problem.people; first += kBlock) {
    const Index count = std::min(kBlock, problem.people - first);
    parallel_for(count, [&](Index i) {
      people[static_cast<std::size_t>(i)] =
          enrolled.recognizer->enrol(problem.extender->extend(problem.photos.col(first + i)));
    });
    enrolled.searcher->add_all(std::span(people).first(static_cast<std::size_t>(count)));
  }
  return enrolled;
}

// A benchmark is called several times; people are enrolled once, and one method at a time is kept.
const Enrolled& enrol(const std::string& method) {
  static std::string kept;
  static Enrolled enrolled;
  if (kept != method) {
    enrolled = {};
    enrolled = enrol_everybody(method);
    kept = method;
  }
  return enrolled;
}

void longshot_search(benchmark::State& state, const std::string& method, Index probes) {
  const Enrolled& enrolled = enrol(method);
  const Matrix batch = Problem::get().probes.leftCols(probes);
  for (auto _ : state) benchmark::DoNotOptimize(enrolled.searcher->search(batch, kTop));
  count_people(state, enrolled.searcher->people(), probes);
}
BENCHMARK_CAPTURE(longshot_search, slrfr, "slrfr", kProbes)->UseRealTime();
BENCHMARK_CAPTURE(longshot_search, slrfr_one_probe, "slrfr", 1)->UseRealTime();
BENCHMARK_CAPTURE(longshot_search, kernel, "kernel", kProbes)->UseRealTime();
BENCHMARK_CAPTURE(longshot_search, kernel_one_probe, "kernel", 1)->UseRealTime();
BENCHMARK_CAPTURE(longshot_search, joint, "joint", kProbes)->UseRealTime();
BENCHMARK_CAPTURE(longshot_search, longshot, "longshot", kProbes)->UseRealTime();
BENCHMARK_CAPTURE(longshot_search, longshot_one_probe, "longshot", 1)->UseRealTime();

FeatureSpace unit_pixels() {
  return FeatureSpace::learn(Matrix(kLow.pixels(), 0), {Normalisation::kUnitNorm, {}, false});
}

// Every relit image of every person.
const faiss::IndexFlatL2& extended_gallery() {
  static const faiss::IndexFlatL2 filled = [] {
    const Problem& problem = Problem::get();
    const FeatureSpace space = unit_pixels();
    faiss::IndexFlatL2 index(static_cast<int>(kLow.pixels()));
    for (Index i = 0; i < problem.people; ++i) {
      const MatrixF images =
          space.features(problem.extender->extend(problem.photos.col(i)).relit_low).cast<float>();
      index.add(images.cols(), images.data());
    }
    return index;
  }();
  return filled;
}

// Exact search with Faiss; its BLAS may use all cores.
void faiss_flat(benchmark::State& state, Index probes) {
  const Problem& problem = Problem::get();
  const faiss::IndexFlatL2& index = extended_gallery();
  const FeatureSpace space = unit_pixels();
  const MatrixF batch = space.features(problem.probes.leftCols(probes)).cast<float>();
  std::vector<float> distances(static_cast<std::size_t>(probes * kTop));
  std::vector<faiss::Index::idx_t> labels(distances.size());
  openblas_set_num_threads(thread_count());
  for (auto _ : state) index.search(probes, batch.data(), kTop, distances.data(), labels.data());
  openblas_set_num_threads(1);
  count_people(state, problem.people, probes);
}
BENCHMARK_CAPTURE(faiss_flat, batch, kProbes)->UseRealTime();
BENCHMARK_CAPTURE(faiss_flat, one_probe, 1)->UseRealTime();

// The nearest vector of each probe.
using Labels = std::vector<std::int64_t>;

// Search that may miss the nearest of the same vectors: with the least effort, by doubling, at
// which it misses that of none of the probes. `search` gives the labels of all probes for an
// effort.
void approximate(benchmark::State& state, std::int64_t most_effort,
                 const std::function<Labels(const MatrixF&, std::int64_t)>& search) {
  const Problem& problem = Problem::get();
  const MatrixF batch = unit_pixels().features(problem.probes).cast<float>();
  std::vector<float> distances(static_cast<std::size_t>(kProbes));
  Labels nearest(distances.size());
  extended_gallery().search(kProbes, batch.data(), 1, distances.data(), nearest.data());
  const auto recall = [&](std::int64_t effort) {
    const Labels found = search(batch, effort);
    return std::inner_product(found.begin(), found.end(), nearest.begin(), 0.0, std::plus<>(),
                              std::equal_to<>()) /
           static_cast<double>(kProbes);
  };
  std::int64_t effort = 1;
  while (effort < most_effort && recall(effort) < 1.0) effort *= 2;
  for (auto _ : state) benchmark::DoNotOptimize(search(batch, effort));
  state.counters["recall"] = recall(effort);
  state.counters["effort"] = static_cast<double>(effort);
  count_people(state, problem.people, kProbes);
}

template <typename FaissIndex>
void faiss_approximate(benchmark::State& state, FaissIndex& index, std::int64_t most_effort,
                       const std::function<void(std::int64_t)>& set_effort) {
  if (index.ntotal == 0) {
    index.train(extended_gallery().ntotal, extended_gallery().get_xb());
    index.add(extended_gallery().ntotal, extended_gallery().get_xb());
  }
  approximate(state, most_effort, [&](const MatrixF& batch, std::int64_t effort) {
    set_effort(effort);
    std::vector<float> distances(static_cast<std::size_t>(batch.cols()));
    Labels labels(distances.size());
    index.search(batch.cols(), batch.data(), 1, distances.data(), labels.data());
    return labels;
  });
}

void faiss_cells(benchmark::State& state) {
  constexpr std::size_t kCells = 1024;
  static faiss::IndexFlatL2 centres(static_cast<int>(kLow.pixels()));
  static faiss::IndexIVFFlat index(&centres, static_cast<std::size_t>(kLow.pixels()), kCells);
  faiss_approximate(state, index, kCells,
                    [](std::int64_t effort) { index.nprobe = static_cast<std::size_t>(effort); });
}
BENCHMARK(faiss_cells)->UseRealTime();

void faiss_graph(benchmark::State& state) {
  static faiss::IndexHNSWFlat index(static_cast<int>(kLow.pixels()), kNeighbours);
  faiss_approximate(state, index, kMostEffort,
                    [](std::int64_t effort) { index.hnsw.efSearch = static_cast<int>(effort); });
}
BENCHMARK(faiss_graph)->UseRealTime();

void hnswlib_graph(benchmark::State& state) {
  const faiss::IndexFlatL2& gallery = extended_gallery();
  static hnswlib::L2Space space(static_cast<std::size_t>(kLow.pixels()));
  static const auto graph = [&] {
    auto made = std::make_unique<hnswlib::HierarchicalNSW<float>>(
        &space, static_cast<std::size_t>(gallery.ntotal), kNeighbours);
    made->addPoint(gallery.get_xb(), 0);
    parallel_for(gallery.ntotal - 1, [&](Index i) {
      made->addPoint(gallery.get_xb() + (i + 1) * kLow.pixels(), static_cast<std::size_t>(i + 1));
    });
    return made;
  }();
  approximate(state, kMostEffort, [&](const MatrixF& batch, std::int64_t effort) {
    graph->setEf(static_cast<std::size_t>(effort));
    Labels labels(static_cast<std::size_t>(batch.cols()));
    parallel_for(batch.cols(), [&](Index j) {
      labels[static_cast<std::size_t>(j)] =
          static_cast<std::int64_t>(graph->searchKnn(batch.col(j).data(), 1).top().second);
    });
    return labels;
  });
}
BENCHMARK(hnswlib_graph)->UseRealTime();

void opencv_flann(benchmark::State& state) {
  const faiss::IndexFlatL2& gallery = extended_gallery();
  static const cv::Mat vectors(static_cast<int>(gallery.ntotal), static_cast<int>(kLow.pixels()),
                               CV_32F, const_cast<float*>(gallery.get_xb()));
  static cv::flann::Index trees(vectors, cv::flann::KDTreeIndexParams(4));
  approximate(state, kMostEffort, [&](const MatrixF& batch, std::int64_t effort) {
    Labels labels(static_cast<std::size_t>(batch.cols()));
    parallel_for(batch.cols(), [&](Index j) {
      const cv::Mat probe(1, static_cast<int>(kLow.pixels()), CV_32F,
                          const_cast<float*>(batch.col(j).data()));
      cv::Mat found;
      cv::Mat distances;
      trees.knnSearch(probe, found, distances, 1,
                      cv::flann::SearchParams(static_cast<int>(effort)));
      labels[static_cast<std::size_t>(j)] = found.at<int>(0);
    });
    return labels;
  });
}
BENCHMARK(opencv_flann)->UseRealTime();

// The paper as one would write it down with Eigen: projectors D (D'D)^-1 D' in double precision.
void plain_eigen(benchmark::State& state) {
  const Problem& problem = Problem::get();
  const Index people = std::min(kFewPeople, problem.people);
  const FeatureSpace space = unit_pixels();
  std::vector<Matrix> projectors;
  for (Index i = 0; i < people; ++i) {
    const Matrix images =
        space.features(problem.extender->extend(problem.photos.col(i)).relit_low).leftCols(12);
    projectors.push_back(images * (images.transpose() * images).inverse() * images.transpose());
  }
  const Matrix batch = space.features(problem.probes);
  Matrix residuals(people, kProbes);
  for (auto _ : state) {
    parallel_for(people, [&](Index i) {
      const Matrix& projector = projectors[static_cast<std::size_t>(i)];
      for (Index j = 0; j < kProbes; ++j) {
        residuals(i, j) = (batch.col(j) - projector * batch.col(j)).norm();
      }
    });
    benchmark::DoNotOptimize(residuals.data());
  }
  count_people(state, people, kProbes);
}
BENCHMARK(plain_eigen)->UseRealTime();

cv::Mat to_cv(const VectorRef& pixels, Size size) {
  cv::Mat image(static_cast<int>(size.rows), static_cast<int>(size.cols), CV_8U);
  for (Index r = 0; r < size.rows; ++r) {
    for (Index c = 0; c < size.cols; ++c) {
      image.at<std::uint8_t>(static_cast<int>(r), static_cast<int>(c)) =
          cv::saturate_cast<std::uint8_t>(255.0 * pixels(c * size.rows + r));
    }
  }
  return image;
}

// One photo per person, as these recognisers are used; probes enlarged to the photos' size.
void opencv(benchmark::State& state, const cv::Ptr<cv::face::FaceRecognizer>& recognizer,
            Size size) {
  const Problem& problem = Problem::get();
  const Index people = std::min(kFewPeople, problem.people);
  const cv::Size cv_size(static_cast<int>(size.cols), static_cast<int>(size.rows));
  std::vector<cv::Mat> photos;
  std::vector<int> labels;
  for (Index i = 0; i < people; ++i) {
    cv::Mat& photo = photos.emplace_back();
    cv::resize(to_cv(problem.photos.col(i), kHigh), photo, cv_size, 0, 0, cv::INTER_AREA);
    labels.push_back(static_cast<int>(i));
  }
  recognizer->train(photos, labels);
  std::vector<cv::Mat> probes(static_cast<std::size_t>(kFewProbes));
  for (Index j = 0; j < kFewProbes; ++j) {
    cv::resize(to_cv(problem.probes.col(j), kLow), probes[static_cast<std::size_t>(j)], cv_size, 0,
               0, cv::INTER_CUBIC);
  }
  for (auto _ : state) {
    parallel_for(kFewProbes, [&](Index j) {
      benchmark::DoNotOptimize(recognizer->predict(probes[static_cast<std::size_t>(j)]));
    });
  }
  count_people(state, people, kFewProbes);
}
void opencv_lbph(benchmark::State& state) {
  opencv(state, cv::face::LBPHFaceRecognizer::create(), kHigh);
}
void opencv_eigenfaces(benchmark::State& state) {
  opencv(state, cv::face::EigenFaceRecognizer::create(40), kLow);
}
BENCHMARK(opencv_lbph)->UseRealTime();
BENCHMARK(opencv_eigenfaces)->UseRealTime();

}  // namespace
}  // namespace longshot

BENCHMARK_MAIN();
