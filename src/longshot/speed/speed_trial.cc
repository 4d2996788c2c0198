// SPDX-License-Identifier: Apache-2.0
#include "longshot/speed/speed_trial.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/core/stopwatch.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/gallery_index.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/pipeline/search_session.h"
#include "longshot/speed/machine_speed.h"
#include "longshot/speed/trial_gallery.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr Index kPeoplePerBlock = 1000;
constexpr Index kBatch = 960;       // probes
constexpr Index kFileProbes = 100;  // identified from the file
constexpr Index kTop = 5;
constexpr int kLatencyProbes = 15;
constexpr int kChanges = 11;                   // people added and removed
constexpr double kShortest = 1.0;              // seconds that a rate is measured for
constexpr Index kMostMemory = Index{3} << 30;  // bytes of an index that is searched in memory

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Operations, two per multiply-add, of the products that comparing one person with one probe cannot
// avoid, from the sizes of the person's template.
double unavoidable_operations(const std::string& method, const Template& person) {
  std::vector<const char*> parts = {"basis"};
  if (method == "kernel" || method == "joint") parts = {"samples", "projection"};
  // One of the indexes: basis, and the samples within it.
  if (method == "longshot") parts = {"basis0", "samples0"};
  double operations = 0.0;
  for (const char* part : parts) operations += 2.0 * static_cast<double>(person.part(part).size());
  return operations;
}

class SpeedTrial {
 public:
  SpeedTrial(const SpeedOptions& options, fs::path path, Progress& progress)
      : options_(options),
        path_(std::move(path)),
        progress_(progress),
        gallery_(std::in_place, path_, GalleryStore::Access::kCreate) {
    report_.people = options.people;
    report_.size = options.size;
    report_.threads = thread_count();
    for (const std::string& method : options.methods)
      report_.methods.emplace_back().method = method;
    photo_options_.lighting = frontal_lighting();
    write_setup(*gallery_, setup_);
  }

  SpeedReport run() {
    report_.sgemm_gflops = sgemm_gflops();
    enrol_everybody();
    measure_changes();
    measure_file();
    for (std::size_t i = 0; i < report_.methods.size(); ++i) measure_method(i);
    report_.peak_memory = peak_memory();
    return std::move(report_);
  }

 private:
  void enrol_everybody();
  void measure_changes();
  void measure_file();
  void measure_method(std::size_t i);
  void measure_memory(const GalleryModel& model, MethodSpeed& speed);

  const SpeedOptions& options_;
  fs::path path_;
  Progress& progress_;
  GallerySetup setup_;
  SyntheticPhotoOptions photo_options_;
  std::optional<GalleryStore> gallery_;
  std::vector<GalleryModel> models_;
  SpeedReport report_;
};

void SpeedTrial::enrol_everybody() {
  ProgressScope scope(progress_, "Enrolling synthetic people", options_.people);
  double store_seconds = 0.0;
  std::vector<double> index_seconds(options_.methods.size(), 0.0);
  for (Index first = 0; first < options_.people; first += kPeoplePerBlock) {
    const Index count = std::min(kPeoplePerBlock, options_.people - first);
    const Matrix photos = take_photos(options_.seed, first, count, photo_options_, 0);
    Stopwatch watch;
    GalleryTransaction transaction(*gallery_);
    const std::vector<PersonPhotos> people = store_people(*gallery_, photos, first);
    store_seconds += watch.seconds();
    // What is learnt without training people is learnt from the first who are enrolled.
    for (std::size_t i = models_.size(); i < options_.methods.size(); ++i) {
      models_.push_back(provide_model(*gallery_, options_.methods[i], options_.size));
    }
    for (std::size_t i = 0; i < models_.size(); ++i) {
      watch = {};
      extend_index(*gallery_, models_[i], people);
      index_seconds[i] += watch.seconds();
    }
    watch = {};
    transaction.commit();
    store_seconds += watch.seconds();
    scope.advance(count);
  }
  const auto people = static_cast<double>(options_.people);
  report_.store_people_per_s = people / store_seconds;
  report_.enroll_people_per_s = people / (store_seconds + index_seconds[0]);
  for (std::size_t i = 0; i < index_seconds.size(); ++i) {
    report_.methods[i].index_people_per_s = people / index_seconds[i];
  }
}

void SpeedTrial::measure_changes() {
  std::vector<double> added;
  std::vector<double> removed;
  for (int i = 0; i < kChanges; ++i) {
    const Matrix photo = take_photos(options_.seed, options_.people + i, 1, photo_options_, 0);
    const Stopwatch watch;
    GalleryTransaction transaction(*gallery_);
    const std::vector<PersonPhotos> people = store_people(*gallery_, photo, options_.people + i);
    extend_indexes(*gallery_, models_, people);
    transaction.commit();
    added.push_back(1000.0 * watch.seconds());
  }
  for (int i = 0; i < kChanges; ++i) {
    const std::string name = fmt::format("person {}", options_.people + i);
    const Stopwatch watch;
    gallery_->remove_person(name);
    removed.push_back(1000.0 * watch.seconds());
  }
  report_.add_ms = median(added);
  report_.remove_ms = median(removed);
}

void SpeedTrial::measure_file() {
  gallery_.reset();
  report_.bytes_per_person =
      static_cast<double>(fs::file_size(path_)) / static_cast<double>(options_.people);
  forget_file_cache(path_);
  const Stopwatch watch;
  gallery_.emplace(path_, GalleryStore::Access::kWrite);
  find_model(*gallery_, models_[0].key);
  report_.open_ms = 1000.0 * watch.seconds();
}

void SpeedTrial::measure_method(std::size_t i) {
  MethodSpeed& speed = report_.methods[i];
  ProgressScope scope(progress_, "Searching with " + speed.method, 1);
  if (index_bytes(*gallery_, models_[i]) <= kMostMemory) measure_memory(models_[i], speed);

  // As a user does who comes with probes: everything anew, but calibrated before.
  { const SearchSession calibrated(*gallery_, speed.method, options_.size); }
  SyntheticPhotoOptions probe_options;
  const Matrix probes =
      models_[i].extender->degrade(take_photos(options_.seed, 0, kFileProbes, probe_options, 1));
  gallery_.reset();
  forget_file_cache(path_);
  const Stopwatch watch;
  gallery_.emplace(path_, GalleryStore::Access::kWrite);
  const SearchSession session(*gallery_, speed.method, options_.size);
  session.search(*gallery_).search.search(probes, kTop);
  speed.file_identify_s = watch.seconds();
  scope.advance();
}

void SpeedTrial::measure_memory(const GalleryModel& model, MethodSpeed& speed) {
  forget_file_cache(path_);
  Stopwatch watch;
  read_index(*gallery_, model);
  speed.load_s = watch.seconds();
  watch = {};
  const IndexBlock block = read_index(*gallery_, model);
  speed.cached_load_s = watch.seconds();
  const Index file_bytes = index_bytes(*gallery_, model);
  forget_file_cache(path_);
  speed.cat_s = read_file_seconds(path_, file_bytes);
  speed.cached_cat_s = read_file_seconds(path_, file_bytes);

  const Matrix probes = model.extender->degrade(
      take_photos(options_.seed, 0, std::min(kBatch, options_.people), SyntheticPhotoOptions{}, 1));
  double searched = 0.0;
  watch = {};
  do {
    block.searcher->search(probes, kTop);
    searched += static_cast<double>(probes.cols());
  } while (watch.seconds() < kShortest);
  speed.probes_per_s = searched / watch.seconds();
  const Template like = model.enrol(photos_of(*gallery_, block.people[0], setup_.high));
  speed.fraction_of_sgemm = speed.probes_per_s * static_cast<double>(block.people.size()) *
                            unavoidable_operations(speed.method, like) /
                            (1e9 * report_.sgemm_gflops);

  std::vector<double> latencies;
  for (int k = 0; k < kLatencyProbes; ++k) {
    forget_processor_caches();
    watch = {};
    block.searcher->search(probes.col(k), kTop);
    latencies.push_back(1000.0 * watch.seconds());
  }
  speed.latency_ms = median(latencies);
  const auto bytes = static_cast<double>(block.searcher->bytes_per_probe());
  const double rate = read_bytes_per_second(block.searcher->bytes_per_probe());
  speed.stream_ms = 1000.0 * bytes / rate;
  report_.read_gb_per_s = std::max(report_.read_gb_per_s, 1e-9 * rate);
  speed.index_bytes_per_person = bytes / static_cast<double>(block.people.size());
}

}  // namespace

void SpeedOptions::check() const {
  if (people < 100 || people > 100000000) {
    throw Error("people must be between 100 and 100000000, not {}.", people);
  }
  check_probe_size(size, GallerySetup{}.high);
  if (methods.empty()) throw Error("Name at least one method.");
  for (const std::string& method : methods) {
    const std::vector<std::string>& known = SpeedOptions{}.methods;
    if (std::find(known.begin(), known.end(), method) == known.end()) {
      throw Error("The speed of {} is not measured; choose among {}.", method,
                  fmt::join(known, ", "));
    }
  }
  if (!gallery.empty() && fs::exists(gallery)) {
    throw Error("{} exists already; name a new gallery.", gallery.string());
  }
}

SpeedReport measure_speed(const SpeedOptions& options, Progress& progress) {
  options.check();
  if (!options.gallery.empty()) return SpeedTrial(options, options.gallery, progress).run();
  const TemporaryFolder folder;
  return SpeedTrial(options, folder.path() / "people.gallery", progress).run();
}

}  // namespace longshot
