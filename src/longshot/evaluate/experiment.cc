// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/experiment.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/core/random.h"
#include "longshot/evaluate/experiment_collector.h"
#include "longshot/evaluate/experiment_faces.h"
#include "longshot/evaluate/experiment_relighting.h"
#include "longshot/evaluate/open_set.h"
#include "longshot/evaluate/summary.h"
#include "longshot/evaluate/training_thresholds.h"
#include "longshot/image/shift.h"

namespace longshot {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// One enrolled person of one run.
struct Enrolled {
  std::string subject;
  std::vector<Index> photos;  // samples
  Matrix photos_high;         // N_H x p
  Matrix relit_high;          // N_H x m
};

// What all sizes and methods of a draw share.
struct DrawData {
  Matrix train_high;  // N_H x n
  std::vector<int> train_subjects;
  std::vector<Index> gallery_like;  // columns of train_high
  std::shared_ptr<const Relighter> relighter;
  std::vector<std::vector<Enrolled>> people;  // by run
  double relight_ms = 0.0;                    // per person
};

class Runner {
 public:
  Runner(const Dataset& dataset, const ExperimentOptions& options, const ExperimentFaces& faces,
         Progress& progress)
      : dataset_(dataset), options_(options), faces_(faces), progress_(progress) {}

  void run(const ProtocolPlan& plan, Experiment& experiment);

 private:
  DrawData prepare(const Draw& draw, const std::vector<LightDirection>& lights) const;
  void run_size(const Draw& draw, const DrawData& data, Size size, std::uint64_t draw_index);
  Matrix probes_low(const Run& run, const Degrader& degrader, std::uint64_t draw_index) const;
  Matrix with_noise(const Matrix& probes, const Run& run, std::size_t level,
                    std::uint64_t draw_index) const;
  void collect(Collector& collector, const std::vector<Enrolled>& people, const Run& run,
               const Matrix& distances, const Matrix& open_distances,
               const std::vector<Index>& enrolled_rows) const;
  std::vector<Size> sizes() const {
    return options_.sizes.empty() ? std::vector<Size>{faces_.native} : options_.sizes;
  }
  Collector& collector(Size size, std::size_t noise, std::size_t method) {
    return collectors_[{size.rows, size.cols, noise, method}];
  }

  const Dataset& dataset_;
  const ExperimentOptions& options_;
  const ExperimentFaces& faces_;
  Progress& progress_;
  std::map<std::tuple<Index, Index, std::size_t, std::size_t>, Collector> collectors_;
};

DrawData Runner::prepare(const Draw& draw, const std::vector<LightDirection>& lights) const {
  DrawData data;
  if (options_.use_training) {
    data.train_high = columns_of(faces_.high_faces, draw.train);
    std::map<std::string, int> labels;
    for (std::size_t k = 0; k < draw.train.size(); ++k) {
      const std::string& subject =
          dataset_.samples[static_cast<std::size_t>(draw.train[k])].subject;
      data.train_subjects.push_back(
          labels.try_emplace(subject, static_cast<int>(labels.size())).first->second);
      if (std::binary_search(draw.gallery_like.begin(), draw.gallery_like.end(), draw.train[k])) {
        data.gallery_like.push_back(static_cast<Index>(k));
      }
    }
  }
  data.relighter = make_relighter(faces_, data.train_high, relight_options(options_.method, lights),
                                  albedo_knowledge(options_.method));

  std::vector<Enrolled*> all;
  data.people.resize(draw.runs.size());
  for (std::size_t r = 0; r < draw.runs.size(); ++r) {
    std::map<std::string, std::vector<Index>> photos;
    for (const Index i : draw.runs[r].gallery) {
      photos[dataset_.samples[static_cast<std::size_t>(i)].subject].push_back(i);
    }
    for (auto& [subject, samples] : photos) {
      data.people[r].push_back(
          {subject, samples, columns_of(faces_.high_faces, samples), Matrix()});
    }
    for (Enrolled& person : data.people[r]) all.push_back(&person);
  }
  // Sizes do not matter to relighting, so the extender's low resolution is any.
  const Extender extender(data.relighter,
                          {faces_.frame, faces_.high, faces_.high, DegradeOperator()});
  Vector times(static_cast<Index>(all.size()));
  parallel_for(static_cast<Index>(all.size()), [&](Index i) {
    Enrolled& person = *all[static_cast<std::size_t>(i)];
    const Clock::time_point start = Clock::now();
    person.relit_high = extender.relit(person.photos_high);
    times(i) = milliseconds_since(start);
  });
  data.relight_ms = times.mean();
  return data;
}

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
  std::map<std::string, Index> rows;
  for (std::size_t i = 0; i < people.size(); ++i) rows[people[i].subject] = static_cast<Index>(i);
  std::vector<Index> truth;
  std::vector<Index> open_truth;
  for (const Index probe : run.probes) {
    const auto found = rows.find(dataset_.samples[static_cast<std::size_t>(probe)].subject);
    truth.push_back(found == rows.end() ? kNotEnrolled : found->second);
    const auto kept = std::find(enrolled_rows.begin(), enrolled_rows.end(), truth.back());
    open_truth.push_back(kept == enrolled_rows.end() ? kNotEnrolled : kept - enrolled_rows.begin());
  }
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
           open_set_scores(open_distances, open_truth,
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

Matrix first_photos(const std::vector<Enrolled>& people) {
  Matrix photos(people.front().photos_high.rows(), static_cast<Index>(people.size()));
  for (std::size_t i = 0; i < people.size(); ++i) {
    photos.col(static_cast<Index>(i)) = people[i].photos_high.col(0);
  }
  return photos;
}

double mean_bytes(const std::vector<Template>& templates) {
  double bytes = 0.0;
  for (const Template& person : templates) {
    for (const Matrix& part : person.parts)
      bytes += static_cast<double>(part.size() * sizeof(double));
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

void Runner::run_size(const Draw& draw, const DrawData& data, Size size, std::uint64_t draw_index) {
  const FaceGeometry geometry{faces_.frame, faces_.high, size, options_.op};
  const auto extender = std::make_shared<Extender>(data.relighter, geometry);
  TrainingSet training{data.train_high, data.train_subjects, data.gallery_like, extender, {}};
  const Degrader probe_degrader(options_.probe_op.value_or(options_.op), faces_.high, size);

  std::vector<std::vector<PersonImages>> images(draw.runs.size());
  std::vector<Matrix> probes(draw.runs.size());
  parallel_for(static_cast<Index>(draw.runs.size()), [&](Index i) {
    const auto r = static_cast<std::size_t>(i);
    for (const Enrolled& person : data.people[r]) {
      images[r].push_back(extender->extend(person.photos_high, person.relit_high));
    }
    probes[r] = probes_low(draw.runs[r], probe_degrader, draw_index);
  });

  for (std::size_t m = 0; m < options_.methods.size(); ++m) {
    const std::unique_ptr<Recognizer> recognizer =
        make_recognizer(options_.methods[m], options_.method);
    Vector impostors;
    if (options_.use_training) {
      recognizer->learn(training);
      if (options_.training_thresholds) {
        const auto enrolled = static_cast<Index>(data.people.front().size() / 2);
        impostors = training_impostors(options_.methods[m], options_.method, training, enrolled,
                                       options_.seed + draw_index);
      }
    }
    for (std::size_t n = 0; n < options_.noise.size(); ++n) {
      collector(size, n, m).rank1.emplace_back();
      collector(size, n, m).cmc.emplace_back();
      collector(size, n, m).open_set = {};
    }
    for (std::size_t r = 0; r < draw.runs.size(); ++r) {
      const std::vector<Enrolled>& people = data.people[r];
      const auto count = static_cast<Index>(people.size());
      if (!options_.use_training) {
        // All that a user without training people has: the photos of those to enrol.
        training.enrolled_high = first_photos(people);
        recognizer->learn(training);
      }
      std::vector<Template> templates(people.size());
      Vector times(count);
      parallel_for(count, [&](Index i) {
        const Clock::time_point start = Clock::now();
        templates[static_cast<std::size_t>(i)] =
            recognizer->enrol(images[r][static_cast<std::size_t>(i)]);
        times(i) = milliseconds_since(start);
      });
      const std::unique_ptr<Searcher> searcher = recognizer->make_searcher();
      for (const Template& person : templates) searcher->add(person);
      const std::vector<Index> half = choose_half(count, options_.seed + r);
      std::unique_ptr<Searcher> half_searcher;
      if (!recognizer->has_independent_distances() && !half.empty()) {
        half_searcher = recognizer->make_searcher();
        for (const Index i : half) half_searcher->add(templates[static_cast<std::size_t>(i)]);
      }
      for (std::size_t n = 0; n < options_.noise.size(); ++n) {
        const Matrix noisy = with_noise(probes[r], draw.runs[r], n, draw_index);
        const Clock::time_point start = Clock::now();
        const Matrix distances = searcher->distances(noisy);
        Collector& target = collector(size, n, m);
        target.identify_ms += milliseconds_since(start) / static_cast<double>(noisy.cols());
        target.enrol_ms.push_back(data.relight_ms + times.mean());
        target.person_bytes = mean_bytes(templates);
        target.probe_bytes = static_cast<double>((noisy.rows() + count) * sizeof(double));
        const Matrix open_distances =
            half_searcher ? half_searcher->distances(noisy) : Matrix(distances(half, Eigen::all));
        collect(target, people, draw.runs[r], distances, open_distances, half);
        progress_.advance(1);
      }
    }
    for (std::size_t n = 0; n < options_.noise.size(); ++n) {
      Collector& target = collector(size, n, m);
      if (target.open_set.known.size() == 0 || target.open_set.unknown.size() == 0) continue;
      for (std::size_t f = 0; f < std::size(kFpirs); ++f) {
        target.dir[f].push_back(100.0 * rates_at_fpir(target.open_set, kFpirs[f]).dir);
        if (impostors.size() == 0) continue;
        target.trained[f].push_back(
            rates_at_threshold(target.open_set, threshold_at_fpir(impostors, kFpirs[f]).threshold));
      }
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
    const DrawData data = prepare(plan.draws[d], plan.lights);
    if (d == 0) {
      experiment.relightings = show_relightings(
          *data.relighter, faces_, plan.draws[d].runs.front().gallery, options_.kept_relightings);
    }
    for (const Size size : sizes()) run_size(plan.draws[d], data, size, d);
  }
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

void ExperimentOptions::check() const {
  if (methods.empty()) throw Error("At least one method is needed.");
  for (const std::string& name : methods) make_recognizer(name, method);
  if (noise.empty()) throw Error("At least one noise level is needed; 0 for none.");
  for (const double level : noise) {
    if (!(level >= 0.0 && level <= 255.0)) {
      throw Error("noise must be from 0 to 255 grey levels, not {}.", level);
    }
  }
  if (!(jitter >= 0.0)) throw Error("jitter must be 0 or more pixels, not {}.", jitter);
  reading.check();
}

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
  const ProtocolPlan usable = without_rejected(plan, faces);
  Experiment experiment;
  Runner(dataset, options, faces, progress).run(usable, experiment);
  experiment.high = faces.high;
  experiment.frame = faces.frame;
  experiment.rejections = std::move(faces.rejections);
  experiment.faces = std::move(faces.high_faces);
  return experiment;
}

}  // namespace longshot
