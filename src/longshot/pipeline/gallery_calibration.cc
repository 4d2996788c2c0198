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

// Of the names of what is kept for such days.
std::string prefix_of(Days days) {
  return days == Days::kUnknown ? "" : std::string(to_string(days)) + ".";
}

// Nothing where none was kept.
std::optional<Calibration> kept_for(Days days, const ModelState& state) {
  const std::string prefix = prefix_of(days);
  ModelState own;
  for (const auto& [name, matrix] : state.matrices()) {
    if (name.starts_with(prefix)) own.set(name.substr(prefix.size()), matrix);
  }
  if (own.matrices().empty()) return std::nullopt;
  return Calibration::from_state(own);
}

}  // namespace

Days calibrated_days(const GalleryStore& gallery, Days days) {
  return gallery.writable() && !holds_templates_only(gallery) ? days : Days::kUnknown;
}

bool still_holds(const Calibration& calibration, Index people) {
  const auto now = static_cast<double>(people);
  const auto then = static_cast<double>(calibration.people);
  return now <= kPeopleChange * then && then <= kPeopleChange * now;
}

Calibration provide_calibration(GalleryStore& gallery, const GalleryPeople& people,
                                const PeopleSearch& search, Days days, Progress& progress) {
  const GalleryModel& model = search.model();
  const std::string name =
      fmt::format("The calibration of \"{}\" in {}", model.key, gallery.path().string());
  Model content = model.model;
  content.prior.reset();
  content.state = {};
  if (const std::optional<std::string> bytes = gallery.index_data(model.key)) {
    content.state = decode_model(*bytes, name).state;
    const std::optional<Calibration> kept = kept_for(days, content.state);
    if (kept && (still_holds(*kept, people.count()) || holds_templates_only(gallery))) return *kept;
  }
  ProgressScope scope(progress, "Calibrating " + model_title(model.key), 1);
  const Calibration made = calibrate_crowd(
      GalleryCrowd(people, *search.for_camera(camera_of_days(days))), *model.recognizer,
      *model.extender, background_of(gallery, BackgroundParts::kPeopleAndProbes), days);
  const ModelState own = made.state();
  for (const auto& [key, matrix] : own.matrices()) content.state.set(prefix_of(days) + key, matrix);
  gallery.set_index_data(model.key, encode_model(content));
  scope.advance();
  return made;
}

}  // namespace longshot
