// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/experiment.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "longshot/camera/camera_fit.h"
#include "longshot/camera/camera_learning.h"
#include "longshot/camera/simulated_camera.h"
#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/core/privacy.h"
#include "longshot/core/random.h"
#include "longshot/core/stopwatch.h"
#include "longshot/decide/days.h"
#include "longshot/evaluate/experiment_collector.h"
#include "longshot/evaluate/experiment_decisions.h"
#include "longshot/evaluate/experiment_draw.h"
#include "longshot/evaluate/experiment_faces.h"
#include "longshot/evaluate/experiment_relighting.h"
#include "longshot/evaluate/open_set.h"
#include "longshot/evaluate/summary.h"
#include "longshot/image/shift.h"

namespace longshot {
namespace {

bool has_training(const ProtocolPlan& plan) {
  return std::any_of(plan.draws.begin(), plan.draws.end(),
                     [](const Draw& draw) { return !draw.train.empty(); });
}

class Runner {
 public:
  Runner(const Dataset& dataset, const ExperimentOptions& options, const ExperimentFaces& faces,
         Progress& progress)
      : dataset_(dataset), options_(options), faces_(faces), progress_(progress) {}

  void run(const ProtocolPlan& plan, Experiment& experiment);

 private:
  struct Prepared;
  // One run at one size.
  struct RunData {
    const Run& run;
    const std::vector<Enrolled>& people;
    const std::vector<View>& views;  // by noise level, or one for all
    const Matrix& probes;            // N_L x n, without noise
    Size size;
    std::uint64_t number = 0;
    std::uint64_t draw_index = 0;
    double relight_ms = 0.0;  // per person
    const Background& background;
  };

  void run_size(const Draw& draw, const DrawData& data, Size size, std::uint64_t draw_index);
  void run_method(Recognizer& recognizer, std::size_t method, const RunData& at);
  Prepared enrol_all(const Recognizer& recognizer, const View& view, std::uint64_t seed) const;
  std::vector<View> views_of(const Run& run, const DrawData& data,
                             const std::vector<Enrolled>& people, const FaceGeometry& geometry,
                             const Matrix& probes, std::uint64_t draw_index) const;
  void add_open_set(Size size, std::size_t method);
  void decide_probes(const DecisionRun& run, std::size_t method, std::size_t noise, Size size);
  Matrix probes_low(const Run& run, const Degrader& degrader, std::uint64_t draw_index) const;
  Matrix with_noise(const Matrix& probes, const Run& run, std::size_t level,
                    std::uint64_t draw_index) const;
  void collect(Collector& collector, const std::vector<Enrolled>& people, const Run& run,
               const Matrix& distances, const Matrix& open_distances,
               const std::vector<Index>& enrolled_rows) const;
  std::vector<Size> sizes() const {
    return options_.sizes.empty() ? std::vector<Size>{faces_.native} : options_.sizes;
  }
  bool through_a_camera() const {
    return options_.learn_camera || options_.know_camera || options_.camera;
  }
  SimulatedCamera camera_before(const Run& run) const {
    return random_camera(options_.seed, static_cast<std::uint64_t>(run.camera),
                         gentler_range(options_.camera_harm));
  }
  // Without training people or through a camera every run teaches something else.
  bool learns_once() const { return options_.use_training && !through_a_camera(); }
  Collector& collector(Size size, std::size_t noise, std::size_t method) {
    return collectors_[{size.rows, size.cols, noise, method}];
  }

  const Dataset& dataset_;
  const ExperimentOptions& options_;
  const ExperimentFaces& faces_;
  Progress& progress_;
  std::map<std::tuple<Index, Index, std::size_t, std::size_t>, Collector> collectors_;
  std::vector<ProbeScores> scores_;
};

Matrix Runner::probes_low(const Run& run, const Degrader& degrader,
                          std::uint64_t draw_index) const {
  if (options_.sizes.empty()) return columns_of(faces_.native_faces, run.probes);
  Matrix high = columns_of(faces_.high_faces, run.probes);
  if (options_.jitter > 0.0) {
    for (std::size_t k = 0; k < run.probes.size(); ++k) {
      // By sample, so that every method sees the same shifted probe.
      Random random(options_.seed + 1000 * draw_index, static_cast<std::uint64_t>(run.probes[k]));
      const double dx = random.uniform(-options_.jitter, options_.jitter);
      const double dy = random.uniform(-options_.jitter, options_.jitter);
      auto column = high.col(static_cast<Index>(k));
      column = shift(column.reshaped(faces_.high.rows, faces_.high.cols), dx, dy).reshaped().eval();
    }
  }
  if (run.camera >= 0) {
    const auto number = static_cast<std::uint64_t>(run.camera);
    return take_crops(camera_before(run), high, faces_.high, degrader.to(),
                      options_.seed + 1000 * draw_index + number);
  }
  return degrader.apply_columns(high);
}

Matrix Runner::with_noise(const Matrix& probes, const Run& run, std::size_t level,
                          std::uint64_t draw_index) const {
  const double sigma = options_.noise[level] / 255.0;
  if (sigma == 0.0) return probes;
  Matrix noisy = probes;
  for (std::size_t k = 0; k < run.probes.size(); ++k) {
    Random random(options_.seed + 7919 * (draw_index + 1) + level,
                  static_cast<std::uint64_t>(run.probes[k]));
    for (double& value : noisy.col(static_cast<Index>(k))) value += sigma * random.normal();
  }
  // A sensor cannot measure less than nothing.
  return noisy.cwiseMax(0.0).cwiseMin(1.0);
}

void Runner::collect(Collector& collector, const std::vector<Enrolled>& people, const Run& run,
                     const Matrix& distances, const Matrix& open_distances,
                     const std::vector<Index>& enrolled_rows) const {
  const std::vector<Index> truth = true_people(dataset_, run, people);
  Ranks ranks = rank_true_people(distances, truth);
  collector.rank1.back().push_back(100.0 * rank_one_rate(ranks));
  collector.cmc.back().push_back(100.0 * cumulative_match(ranks, kRanks));
  collector.correct += std::count(ranks.rank.begin(), ranks.rank.end(), 1);
  collector.tried += ranks.enrolled;
  collector.tied += ranks.tied;
  collector.ranks.push_back(std::move(ranks));
  collector.people = static_cast<Index>(people.size());
  if (open_distances.size() > 0) {
    append(collector.open_set,
           open_set_scores(open_distances, true_among(truth, enrolled_rows),
                           {OpenSetStatistic::kRatio, ratio_zero(open_distances)}));
  }
  if (collector.rank1.size() == 1) {
    collector.probes += distances.cols();
    const VerificationScores scores = verification_scores(distances, truth);
    collector.genuine.insert(collector.genuine.end(), scores.genuine.begin(), scores.genuine.end());
    collector.impostor.insert(collector.impostor.end(), scores.impostor.begin(),
                              scores.impostor.end());
    for (const Confusion& confusion : confusions(distances, truth)) {
      collector.confusions.push_back({run.probes[static_cast<std::size_t>(confusion.probe)],
                                      people[static_cast<std::size_t>(confusion.truth)].photos[0],
                                      people[static_cast<std::size_t>(confusion.chosen)].photos[0],
                                      confusion.margin});
    }
  }
}

double mean_bytes(const std::vector<Template>& templates) {
  double bytes = 0.0;
  for (const Template& person : templates) {
    for (const TemplatePart& part : person.parts) {
      bytes += static_cast<double>(part.values.size() * sizeof(double));
    }
  }
  return bytes / static_cast<double>(templates.size());
}

// Half of the people, for the open set.
std::vector<Index> choose_half(Index people, std::uint64_t seed) {
  if (people < 4) return {};
  std::vector<Index> order = Random(seed).permutation(people);
  order.resize(static_cast<std::size_t>(people / 2));
  std::sort(order.begin(), order.end());
  return order;
}

// A method that has learnt and enrolled the people of a run.
struct Runner::Prepared {
  double enrol_ms = 0.0;
  double person_bytes = 0.0;
  std::shared_ptr<Searcher> searcher;
  std::vector<Index> half;                  // the enrolled ones of the open set
  std::shared_ptr<Searcher> half_searcher;  // null where nobody asks for it
};

Runner::Prepared Runner::enrol_all(const Recognizer& recognizer, const View& view,
                                   std::uint64_t seed) const {
  const auto count = static_cast<Index>(view.people.size());
  std::vector<Template> templates(view.people.size());
  Vector times(count);
  parallel_for(count, [&](Index i) {
    const Stopwatch watch;
    templates[static_cast<std::size_t>(i)] =
        recognizer.enrol(view.people[static_cast<std::size_t>(i)]);
    times(i) = 1000.0 * watch.seconds();
  });
  Prepared prepared;
  prepared.enrol_ms = times.mean();
  prepared.person_bytes = mean_bytes(templates);
  prepared.searcher = recognizer.make_searcher();
  prepared.searcher->add_all(templates);
  prepared.half = choose_half(count, seed);
  const bool needed = options_.decisions || !recognizer.has_independent_distances();
  if (needed && !prepared.half.empty()) {
    prepared.half_searcher = recognizer.make_searcher();
    for (const Index i : prepared.half) {
      prepared.half_searcher->add(templates[static_cast<std::size_t>(i)]);
    }
  }
  return prepared;
}

std::vector<View> Runner::views_of(const Run& run, const DrawData& data,
                                   const std::vector<Enrolled>& people,
                                   const FaceGeometry& geometry, const Matrix& probes,
                                   std::uint64_t draw_index) const {
  std::vector<View> views = {plain_view(data, people, geometry, options_.use_training)};
  if (!through_a_camera()) return views;
  const View plain = std::move(views.front());
  views.clear();
  for (std::size_t n = 0; n < options_.noise.size(); ++n) {
    Camera camera;
    if (options_.camera) {
      camera = *options_.camera;
    } else if (probes.cols() >= kFewestCameraCrops) {
      camera = learn_camera(plain, people, with_noise(probes, run, n, draw_index));
    }
    if (options_.know_camera) camera = known_camera(camera, camera_before(run));
    if (camera.learnt) {
      views.push_back(camera_view(data, people, geometry, options_.use_training, camera));
    } else {
      views.push_back(plain);
      views.back().camera = camera;
    }
  }
  return views;
}

// As identify finds it out.
Days days_of_probes(const Recognizer& recognizer, const std::shared_ptr<const Searcher>& people,
                    Camera camera, const MatrixRef& probes) {
  if (!recognizer.tells_days_apart() || camera.faces < kFewestPeople) return Days::kUnknown;
  camera.days = Days::kAsked;
  return days_of(
      centred(people, camera)->search(spread_columns(probes, kDaysProbes), kDaysNearest).distances);
}

void Runner::run_method(Recognizer& recognizer, std::size_t method, const RunData& at) {
  Prepared prepared;
  for (std::size_t n = 0; n < options_.noise.size(); ++n) {
    const View& view = at.views[std::min(n, at.views.size() - 1)];
    if (n < at.views.size()) {
      if (!learns_once()) recognizer.learn(view.training);
      prepared = enrol_all(recognizer, view, options_.seed + at.number);
    }
    Matrix noisy = with_noise(at.probes, at.run, n, at.draw_index);
    const Stopwatch watch;
    std::optional<Camera> camera = view.camera;
    if (camera) noisy = corrected_crops(noisy, at.size, *camera);
    if (camera && !options_.camera) {
      camera->days = days_of_probes(recognizer, prepared.searcher, *camera, noisy);
    }
    const Matrix distances = centred(prepared.searcher, camera)->distances(noisy);
    Collector& target = collector(at.size, n, method);
    target.identify_ms += 1000.0 * watch.seconds() / static_cast<double>(noisy.cols());
    target.enrol_ms.push_back(at.relight_ms + prepared.enrol_ms);
    target.person_bytes = prepared.person_bytes;
    target.probe_bytes = static_cast<double>((noisy.rows() + distances.rows()) * sizeof(double));
    const Matrix open_distances = prepared.half_searcher
                                      ? centred(prepared.half_searcher, camera)->distances(noisy)
                                      : Matrix(distances(prepared.half, Eigen::all));
    collect(target, at.people, at.run, distances, open_distances, prepared.half);
    decide_probes({recognizer, view, at.people, prepared.searcher, prepared.half,
                   prepared.half_searcher, at.run, noisy, camera, at.background},
                  method, n, at.size);
    progress_.advance(1);
  }
}

void Runner::decide_probes(const DecisionRun& run, std::size_t method, std::size_t noise,
                           Size size) {
  if (options_.decisions) add_decisions(dataset_, run, collector(size, noise, method).decided);
  if (!options_.scores) return;
  for (ProbeScores& line : probe_scores(dataset_, run, options_.fpir)) {
    line.method = options_.methods[method];
    line.size = size;
    line.noise = options_.noise[noise];
    scores_.push_back(std::move(line));
  }
}

void Runner::run_size(const Draw& draw, const DrawData& data, Size size, std::uint64_t draw_index) {
  const FaceGeometry geometry{faces_.frame, faces_.high, size, options_.op};
  const Degrader probe_degrader(options_.probe_op.value_or(options_.op), faces_.high, size);
  std::vector<std::unique_ptr<Recognizer>> recognizers;
  for (std::size_t m = 0; m < options_.methods.size(); ++m) {
    recognizers.push_back(options_.make_method(options_.methods[m]));
    if (learns_once()) {
      recognizers.back()->learn(plain_view(data, data.people.front(), geometry, true).training);
    }
    for (std::size_t n = 0; n < options_.noise.size(); ++n) {
      collector(size, n, m).rank1.emplace_back();
      collector(size, n, m).cmc.emplace_back();
      collector(size, n, m).open_set = {};
    }
  }
  for (std::size_t r = 0; r < draw.runs.size(); ++r) {
    const Run& run = draw.runs[r];
    const Matrix probes = probes_low(run, probe_degrader, draw_index);
    const std::vector<View> views =
        views_of(run, data, data.people[r], geometry, probes, draw_index);
    for (std::size_t m = 0; m < options_.methods.size(); ++m) {
      run_method(*recognizers[m], m,
                 {run, data.people[r], views, probes, size, r, draw_index, data.relight_ms,
                  data.background});
    }
  }
  for (std::size_t m = 0; m < options_.methods.size(); ++m) add_open_set(size, m);
}

void Runner::add_open_set(Size size, std::size_t method) {
  for (std::size_t n = 0; n < options_.noise.size(); ++n) {
    Collector& target = collector(size, n, method);
    if (target.open_set.known.size() == 0 || target.open_set.unknown.size() == 0) continue;
    for (std::size_t f = 0; f < std::size(kFpirs); ++f) {
      target.dir[f].push_back(100.0 * rates_at_fpir(target.open_set, kFpirs[f]).dir);
    }
  }
}

void Runner::run(const ProtocolPlan& plan, Experiment& experiment) {
  Index steps = 0;
  for (const Draw& draw : plan.draws) steps += static_cast<Index>(draw.runs.size());
  ProgressScope scope(
      progress_, "Evaluating",
      steps * static_cast<Index>(sizes().size() * options_.methods.size() * options_.noise.size()));
  for (std::size_t d = 0; d < plan.draws.size(); ++d) {
    const DrawData data = prepare_draw(dataset_, options_, faces_, plan.draws[d], plan.lights);
    if (d == 0) {
      experiment.relightings = show_relightings(
          *data.relighter, faces_, plan.draws[d].runs.front().gallery, options_.kept_relightings);
    }
    for (const Size size : sizes()) run_size(plan.draws[d], data, size, d);
  }
  experiment.scores = std::move(scores_);
  for (const Size size : sizes()) {
    for (std::size_t n = 0; n < options_.noise.size(); ++n) {
      for (std::size_t m = 0; m < options_.methods.size(); ++m) {
        ExperimentResult result = summarise(collector(size, n, m), options_);
        result.method = options_.methods[m];
        result.size = size;
        result.noise = options_.noise[n];
        experiment.results.push_back(std::move(result));
      }
    }
  }
}

}  // namespace

Experiment run_experiment(const Dataset& dataset, const ProtocolPlan& plan,
                          const ExperimentOptions& options, Progress& progress) {
  options.check();
  ExperimentFaces faces = read_experiment_faces(dataset, plan, options, progress);
  for (const Size size : options.sizes) {
    if (size.rows > faces.high.rows || size.cols > faces.high.cols) {
      throw Error("The size {} is larger than the high resolution {}.", to_string(size),
                  to_string(faces.high));
    }
  }
  ProtocolPlan usable = without_rejected(plan, faces);
  if (options.simulated_cameras > 0) {
    usable = with_simulated_cameras(usable, options.simulated_cameras);
  }
  // Where there is nobody to learn from, those to be enrolled stand in.
  ExperimentOptions effective = options;
  effective.use_training = options.use_training && has_training(usable);
  Experiment experiment;
  Runner(dataset, effective, faces, progress).run(usable, experiment);
  experiment.high = faces.high;
  experiment.frame = faces.frame;
  experiment.rejections = std::move(faces.rejections);
  experiment.faces = std::move(faces.high_faces);
  return experiment;
}

}  // namespace longshot
