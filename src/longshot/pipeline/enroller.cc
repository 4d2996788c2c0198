// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/enroller.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/gallery/content_hash.h"
#include "longshot/pipeline/gallery_index.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/pipeline/look_alikes.h"
#include "longshot/pipeline/search_session.h"

namespace longshot {
namespace {

constexpr std::size_t kPhotosPerTransaction = 256;

// All faces of the people who have one more.
using Faces = std::map<PersonId, std::vector<Vector>>;

std::vector<PersonPhotos> photos_in(const Faces& faces) {
  std::vector<PersonPhotos> people;
  for (const auto& [person, own] : faces) {
    Matrix photos(own.front().size(), static_cast<Index>(own.size()));
    for (std::size_t i = 0; i < own.size(); ++i) photos.col(static_cast<Index>(i)) = own[i];
    people.push_back({person, std::move(photos)});
  }
  return people;
}

class Enroller {
 public:
  Enroller(GalleryStore& gallery, const EnrolOptions& options, Progress& progress)
      : gallery_(gallery),
        options_(options),
        intake_(intake_for(gallery, options.detector)),
        progress_(progress) {}

  EnrolReport run(const std::vector<Input>& inputs);

 private:
  void enrol_batch(const std::vector<Input>& inputs, EnrolBatch batch);
  // Adds the photo to the gallery and to the faces of its person, unless it is refused.
  void add(const Input& input, const Examined& candidate, Faces& changed, EnrolBatch& batch);

  GalleryStore& gallery_;
  const EnrolOptions& options_;
  FaceIntake intake_;
  std::vector<GalleryModel> models_;  // as they were at that revision of the gallery
  std::int64_t revision_ = -1;
  Progress& progress_;
  std::optional<LookAlikes> look_alikes_;
  std::vector<NamedFace> added_;  // by the batch
  EnrolReport report_;
};

void Enroller::add(const Input& input, const Examined& candidate, Faces& changed,
                   EnrolBatch& batch) {
  const std::string& name = options_.person.empty() ? input.sample.subject : options_.person;
  const auto refuse = [&](std::string why) {
    report_.rejections.push_back({input.path, std::move(why)});
  };
  if (!candidate.photo) return refuse(candidate.problem);
  if (const auto owner = gallery_.find_photo_owner(candidate.photo->content_hash)) {
    return refuse(fmt::format("The same photo is already enrolled for {}.", owner->name));
  }
  const std::optional<Person> known = gallery_.find_person(name);
  const PersonId person = known ? known->id : gallery_.add_person(name);
  // What is in memory is not read back.
  const auto [faces, first] = changed.try_emplace(person);
  if (known && first) {
    const Matrix before = photos_of(gallery_, person, intake_.options().high);
    for (const auto& face : before.colwise()) faces->second.emplace_back(face);
  }
  faces->second.push_back(face_of(*candidate.photo));
  added_.push_back({input.path, name, faces->second.back()});
  gallery_.add_photo(person, *candidate.photo);
  report_.people += known ? 0 : 1;
  report_.photos += 1;
  batch.photos += 1;
  batch.people.push_back(name);
  for (const std::string& remark : candidate.remarks) {
    report_.warnings.push_back({input.path, remark});
  }
}

void Enroller::enrol_batch(const std::vector<Input>& inputs, EnrolBatch batch) {
  std::vector<Examined> candidates(batch.count);
  parallel_for(static_cast<Index>(batch.count), [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    candidates[at] = examine(inputs[batch.first + at], intake_, options_);
    progress_.advance(1);
  });
  if (!look_alikes_) look_alikes_.emplace(gallery_, static_cast<Index>(inputs.size()));
  added_.clear();
  GalleryTransaction transaction(gallery_);
  Faces changed;
  for (std::size_t i = 0; i < batch.count; ++i) {
    add(inputs[batch.first + i], candidates[i], changed, batch);
  }
  // Another process may have learnt or forgotten some since the last transaction.
  const std::int64_t revision = gallery_.revision();
  if (revision != revision_) models_ = all_models(gallery_);
  extend_indexes(gallery_, models_, photos_in(changed));
  std::ranges::sort(batch.people);
  batch.people.erase(std::unique(batch.people.begin(), batch.people.end()), batch.people.end());
  if (options_.before_commit) options_.before_commit(batch);
  transaction.commit();
  revision_ = revision + 1;
  for (Rejection& remark : look_alikes_->remarks_on(added_)) {
    report_.warnings.push_back(std::move(remark));
  }
}

EnrolReport Enroller::run(const std::vector<Input>& inputs) {
  ProgressScope scope(progress_, "Enrolling", static_cast<Index>(inputs.size()));
  for (std::size_t first = 0; first < inputs.size(); first += kPhotosPerTransaction) {
    enrol_batch(inputs, {first, std::min(kPhotosPerTransaction, inputs.size() - first), {}, 0});
  }
  return std::move(report_);
}

}  // namespace

Examined examine(const Input& input, FaceIntake& intake, const EnrolOptions& options) {
  Examined candidate;
  try {
    const Face face = intake.face(input);
    if (options.person.empty()) check_person_name(input.sample.subject);
    const Quality quality = assess_quality(face, options.quality);
    if (const QualityFinding* refusal = quality.refusal(); refusal && !options.force) {
      candidate.problem = refusal->reason + " Force enrols it nevertheless.";
      return candidate;
    }
    for (const QualityFinding& finding : quality.findings) {
      candidate.remarks.push_back(finding.reason);
    }
    if (face.photo_damaged) candidate.remarks.emplace_back(kDamagedPhoto);
    Photo photo = photo_of(face.image);
    photo.source = input.path;
    photo.quality = figures_by_name(quality.figures);
    if (face.eyes) {
      photo.eyes = {face.eyes->left.x, face.eyes->left.y, face.eyes->right.x, face.eyes->right.y};
    }
    photo.content_hash =
        content_hash({reinterpret_cast<const char*>(photo.pixels.data()), photo.pixels.size()});
    candidate.photo = std::move(photo);
  } catch (const Error& error) {
    candidate.problem = error.what();
  }
  return candidate;
}

void EnrolOptions::check() const {
  quality.check();
  if (!person.empty()) check_person_name(person);
}

EnrolReport enrol(GalleryStore& gallery, const std::vector<Input>& inputs,
                  const EnrolOptions& options, Progress& progress) {
  options.check();
  require_photos(gallery);
  return Enroller(gallery, options, progress).run(inputs);
}

}  // namespace longshot
