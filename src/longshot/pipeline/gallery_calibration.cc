// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_calibration.h"

#include <memory>
#include <optional>
#include <string>

#include "longshot/pipeline/gallery_model.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/recognize/model_io.h"

namespace longshot {
namespace {

// Of what is kept for one kind of days.
constexpr const char* kSame = "same.";
constexpr const char* kOther = "other.";
constexpr double kPeopleChange = 1.25;  // factor after which it is made anew

// The people of a gallery go by their ids.
class GalleryCrowd final : public Crowd {
 public:
  GalleryCrowd(const GalleryPeople& people, const PeopleSearch& search)
      : people_(people), search_(search) {}

  Index people() const override { return people_.count(); }
  std::vector<Index> some(Index count) const override {
    const std::vector<PersonId> people = some_people(people_, count);
    return {people.begin(), people.end()};
  }
  Matrix photos(const std::vector<Index>& people) const override {
    return people_.first_faces({people.begin(), people.end()}, search_.model().model.geometry.high);
  }
  Matrix distances(const MatrixRef& probes, const std::vector<Index>& people) const override {
    const std::vector<PersonId> ids(people.begin(), people.end());
    return search_.distances(probes, ids).topRows(static_cast<Index>(people.size()));
  }
  Matches nearest(const MatrixRef& probes, Index top) const override {
    const Nearest found = search_.search(probes, top);
    const Index kept = std::min(top, people());
    Matches matches{{kept, probes.cols()}, {kept, probes.cols()}};
    for (Index j = 0; j < probes.cols(); ++j) {
      for (Index k = 0; k < kept; ++k) {
        const PersonDistance& person =
            found.people[static_cast<std::size_t>(j)][static_cast<std::size_t>(k)];
        matches.people(k, j) = person.person;
        matches.distances(k, j) = person.distance;
      }
    }
    return matches;
  }

 private:
  const GalleryPeople& people_;
  const PeopleSearch& search_;
};

void add_with(const std::string& prefix, const Calibration& calibration, ModelState& state) {
  const ModelState own = calibration.state();
  for (const auto& [name, matrix] : own.matrices()) state.set(prefix + name, matrix);
}

// Nothing where none was kept.
std::optional<Calibration> kept_with(const std::string& prefix, const ModelState& state) {
  ModelState own;
  for (const auto& [name, matrix] : state.matrices()) {
    if (name.starts_with(prefix)) own.set(name.substr(prefix.size()), matrix);
  }
  if (own.matrices().empty()) return std::nullopt;
  return Calibration::from_state(own);
}

ModelState state_of(const DayCalibrations& made, bool tells_days_apart) {
  ModelState state = made.any.state();
  if (tells_days_apart) {
    add_with(kSame, made.same, state);
    add_with(kOther, made.other, state);
  }
  return state;
}

}  // namespace

const Calibration& DayCalibrations::of(Days days) const {
  if (days == Days::kSame) return same;
  return days == Days::kOther ? other : any;
}

bool still_holds(const Calibration& calibration, Index people) {
  const auto now = static_cast<double>(people);
  const auto then = static_cast<double>(calibration.people);
  return now <= kPeopleChange * then && then <= kPeopleChange * now;
}

DayCalibrations provide_calibration(GalleryStore& gallery, const GalleryPeople& people,
                                    const PeopleSearch& search, Progress& progress) {
  const GalleryModel& model = search.model();
  const std::string name =
      fmt::format("The calibration of \"{}\" in {}", model.key, gallery.path().string());
  if (const std::optional<std::string> bytes = gallery.index_data(model.key)) {
    const ModelState state = decode_model(*bytes, name).state;
    const Calibration any = Calibration::from_state(state);
    const std::optional<Calibration> same = kept_with(kSame, state);
    const std::optional<Calibration> other = kept_with(kOther, state);
    const bool whole = (same && other) || !model.recognizer->tells_days_apart();
    if ((whole && still_holds(any, people.count())) || holds_templates_only(gallery)) {
      return {any, same.value_or(any), other.value_or(any)};
    }
  }
  ProgressScope scope(progress, "Calibrating " + model_title(model.key), 1);
  const Background background = background_of(gallery, BackgroundParts::kPeopleAndProbes);
  const auto calibrated = [&](Days days) {
    const std::unique_ptr<const PeopleSearch> on = search.for_camera(camera_of_days(days));
    return calibrate_crowd(GalleryCrowd(people, *on), *model.recognizer, *model.extender,
                           background, days);
  };
  DayCalibrations made;
  made.any = calibrated(Days::kUnknown);
  const bool apart = model.recognizer->tells_days_apart();
  made.same = apart ? calibrated(Days::kSame) : made.any;
  made.other = apart ? calibrated(Days::kOther) : made.any;
  Model content = model.model;
  content.prior.reset();
  content.state = state_of(made, apart);
  gallery.set_index_data(model.key, encode_model(content));
  scope.advance();
  return made;
}

}  // namespace longshot
