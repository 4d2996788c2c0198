// SPDX-License-Identifier: Apache-2.0
#include "longshot/speed/sealing_trial.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "longshot/gallery/gallery_key.h"
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

constexpr Index kPeopleInTurn = 250;
constexpr Index kProbesInTurn = 100;
constexpr int kRoundsInTurn = 5;
constexpr Index kAnswers = 5;  // people of each

double processor_seconds_of(const std::function<void()>& work) {
  const double before = processor_seconds();
  work();
  return processor_seconds() - before;
}

// One of the two galleries.
class TrialSide {
 public:
  TrialSide(fs::path path, GalleryKey::Shared key) : path_(std::move(path)) {
    options_.key = std::move(key);
    gallery_.emplace(path_, GalleryStore::Access::kCreate, options_);
    write_setup(*gallery_, {});
  }

  // Seconds to add people, and their templates for a method, or none for an empty one. What the
  // method learns before the first of them does not count.
  double enrol(const Matrix& photos, Index first, const std::string& method, Size size) {
    GalleryTransaction transaction(*gallery_);
    std::vector<PersonPhotos> people;
    double seconds = processor_seconds_of([&] { people = store_people(*gallery_, photos, first); });
    if (!method.empty() && !model_) model_ = provide_model(*gallery_, method, size);
    seconds += processor_seconds_of([&] {
      if (model_) extend_index(*gallery_, *model_, people);
      transaction.commit();
    });
    return seconds;
  }
  // Seconds to open it and to answer about the first probe, and for each of all probes after that.
  std::pair<double, double> answer(const Matrix& photos, const std::string& method, Size size) {
    const Matrix probes = model_->extender->degrade(photos);
    gallery_.reset();
    std::optional<SearchSession> session;
    const double first = processor_seconds_of([&] {
      gallery_.emplace(path_, GalleryStore::Access::kWrite, options_);
      session.emplace(*gallery_, method, size);
      session->search(*gallery_).search.search(probes.leftCols(1), kAnswers);
    });
    const double all =
        processor_seconds_of([&] { session->search(*gallery_).search.search(probes, kAnswers); });
    return {first, all / static_cast<double>(probes.cols())};
  }
  // What the first question of all does.
  void calibrate(const std::string& method, Size size) {
    const SearchSession calibrated(*gallery_, method, size);
  }

 private:
  fs::path path_;
  GalleryOptions options_;
  std::optional<GalleryStore> gallery_;
  std::optional<GalleryModel> model_;
};

using Column = double PlainAndSealed::*;

class SealingTrial {
 public:
  // `method` may be empty: then there are photos alone.
  SealingTrial(const SpeedOptions& options, const std::string& method)
      : options_(options),
        method_(method),
        plain_(folder_.path() / "plain.gallery", nullptr),
        sealed_(folder_.path() / "sealed.gallery", trial_key()) {}

  PlainAndSealed enrol(ProgressScope& scope) {
    PlainAndSealed seconds;
    SyntheticPhotoOptions photo_options;
    photo_options.lighting = frontal_lighting();
    for (Index first = 0; first < options_.people; first += kPeopleInTurn) {
      const Index count = std::min(kPeopleInTurn, options_.people - first);
      const Matrix photos = take_photos(options_.seed, first, count, photo_options, 0);
      in_turn([&](TrialSide& side, Column column) {
        seconds.*column += side.enrol(photos, first, method_, options_.size);
      });
      scope.advance(count);
    }
    return seconds;
  }

  void answer(MethodSealing& speed) {
    constexpr double kMost = std::numeric_limits<double>::max();
    speed.first_answer_s = speed.probe_s = {kMost, kMost};
    plain_.calibrate(method_, options_.size);
    sealed_.calibrate(method_, options_.size);
    const Matrix photos = take_photos(options_.seed, 0, kProbesInTurn, {}, 1);
    for (int round = 0; round < kRoundsInTurn; ++round) {
      in_turn([&](TrialSide& side, Column column) {
        const auto [first, each] = side.answer(photos, method_, options_.size);
        speed.first_answer_s.*column = std::min(speed.first_answer_s.*column, first);
        speed.probe_s.*column = std::min(speed.probe_s.*column, each);
      });
    }
  }

 private:
  static GalleryKey::Shared trial_key() {
    std::array<unsigned char, 32> bytes{};
    bytes.fill('k');
    return std::make_shared<GalleryKey>(KeyDerivation::Kind::kFile, bytes);
  }
  // Who comes first changes, as who comes second finds the processor's caches filled.
  void in_turn(const std::function<void(TrialSide&, Column)>& work) {
    if (plain_first_) work(plain_, &PlainAndSealed::plain);
    work(sealed_, &PlainAndSealed::sealed);
    if (!plain_first_) work(plain_, &PlainAndSealed::plain);
    plain_first_ = !plain_first_;
  }

  const SpeedOptions& options_;
  std::string method_;
  TemporaryFolder folder_;
  TrialSide plain_;
  TrialSide sealed_;
  bool plain_first_ = true;
};

}  // namespace

SealingReport measure_sealing(const SpeedOptions& options, Progress& progress) {
  options.check();
  SealingReport report{options.people, options.size, {}, {}};
  const auto rounds = static_cast<Index>(options.methods.size()) + 1;
  ProgressScope scope(progress, "Enrolling and searching, plain and encrypted",
                      rounds * options.people);
  report.store_s = SealingTrial(options, "").enrol(scope);
  for (const std::string& method : options.methods) {
    MethodSealing& speed = report.methods.emplace_back();
    speed.method = method;
    SealingTrial trial(options, method);
    speed.enroll_s = trial.enrol(scope);
    trial.answer(speed);
  }
  return report;
}

}  // namespace longshot
