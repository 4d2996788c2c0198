// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "longshot/audit_door.h"
#include "longshot/comparison.h"
#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/face/quality.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery_implementation.h"
#include "longshot/pipeline/camera_learner.h"
#include "longshot/pipeline/enroller.h"
#include "longshot/pipeline/gallery_index.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/pipeline/gallery_upkeep.h"
#include "longshot/pipeline/trainer.h"
#include "longshot/pipeline/verifier.h"

namespace longshot {
namespace {

longshot::VerifyOptions inner_options(const v0::VerifyOptions& options) {
  longshot::VerifyOptions inner;
  inner.method = options.method;
  inner.size = door::inner(options.size);
  inner.camera = door::inner(options.camera);
  inner.fmr = options.fmr;
  inner.detector = options.detector;
  return inner;
}

v0::Photo outer_photo(const longshot::Photo& photo, const std::optional<GallerySetup>& setup) {
  v0::Photo shown;
  shown.id = photo.id;
  shown.added_at = photo.added_at;
  shown.source = photo.source;
  shown.size = {photo.rows, photo.cols};
  if (const auto& e = photo.eyes) shown.eyes = v0::Eyes{{(*e)[0], (*e)[1]}, {(*e)[2], (*e)[3]}};
  shown.quality = photo.quality;
  const std::optional<QualityFigures> figures = figures_from(photo.quality);
  if (!figures || !setup) return shown;
  const double kept = eye_distance(eyes_in_pixels(setup->frame, {photo.rows, photo.cols}));
  for (const QualityFinding& finding : find_problems(*figures, kept)) {
    shown.remarks.push_back({name_of(finding.problem), finding.reason});
  }
  return shown;
}

// What all faces of a gallery have in common is fixed by the first that are enrolled.
void set_up(GalleryStore& gallery, const std::vector<Input>& inputs,
            const v0::EnrollOptions& options) {
  std::optional<TrainingFaces> training;
  if (!options.model.empty()) training = read_training(options.model);
  const std::optional<GallerySetup> existing = find_setup(gallery);
  if (!existing) {
    GallerySetup setup;
    if (training) {
      setup.frame = training->frame;
      setup.high = training->size;
    } else {
      setup.frame = frame_for(inputs);
    }
    if (options.high) setup.high = door::inner(*options.high);
    write_setup(gallery, setup);
  } else if (options.high && door::inner(*options.high) != existing->high) {
    throw Error("The faces of {} are {}; that is fixed when a gallery is made.",
                gallery.path().string(), to_string(existing->high));
  }
  if (training) set_training(gallery, *training);
}

AuditAct enrolling_act(const GalleryStore& gallery, const std::vector<v0::Picture>& pictures,
                       const EnrolBatch& batch) {
  AuditAct act = door::act_of("enroll", batch.people);
  act.changes = true;
  act.inputs = door::input_hashes(audit_keys(gallery), pictures, batch.first, batch.count);
  act.details = {{"pictures", fmt::format("{}", batch.count)},
                 {"photos", fmt::format("{}", batch.photos)}};
  return act;
}

AuditAct verifying_act(const v0::Verification& result, const v0::VerifyOptions& options) {
  AuditAct act = door::act_of("verify", {result.person});
  act.details = {{"match", result.match ? "yes" : "no"}};
  door::note_camera(act, options.camera);
  return act;
}

EnrolReport enrol_in_file(GalleryStore& gallery, const std::vector<v0::Picture>& pictures,
                          const std::vector<Input>& inputs, EnrolOptions enrolling,
                          const v0::EnrollOptions& options, Progress& progress) {
  require_no_shard(gallery);
  set_up(gallery, inputs, options);
  if (options.refresh) forget_models(gallery);
  if (is_audited(gallery)) {
    enrolling.before_commit = [&](const EnrolBatch& batch) {
      append_audit(gallery, {enrolling_act(gallery, pictures, batch)});
    };
  }
  return enrol(gallery, inputs, enrolling, progress);
}

// What all shards have in common is fixed when they are made.
EnrolReport enrol_in_shards(OpenShards& shards, GalleryStore log,
                            const std::vector<v0::Picture>& pictures,
                            const std::vector<Input>& inputs, EnrolOptions enrolling,
                            const v0::EnrollOptions& options, Progress& progress) {
  if (!options.model.empty() || options.high || options.refresh) {
    throw Error(ErrorKind::unsupported,
                "Size, training people and models of {} were fixed when it was split.",
                shards.path().string());
  }
  if (is_audited(log)) {
    enrolling.before_commit = [&](const EnrolBatch& batch) {
      append_change(log, enrolling_act(log, pictures, batch));
    };
  }
  return shards.enrol(inputs, enrolling, options.again, progress);
}

std::shared_ptr<OpenShards> open_folder(const std::filesystem::path& path, ShardFolder::Use use,
                                        const v0::Key& key) {
  return std::make_shared<OpenShards>(
      std::make_unique<ShardFolder>(path, use, ShardFolderOptions{.key = secret_of(key)}));
}

}  // namespace

namespace v0 {

Gallery::Gallery(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Gallery::~Gallery() = default;
Gallery::Gallery(Gallery&&) noexcept = default;
Gallery& Gallery::operator=(Gallery&&) noexcept = default;

Gallery::Implementation& Gallery::use() const {
  if (!implementation_) throw Error("This gallery was moved to another object.");
  return *implementation_;
}

Gallery Gallery::open(const std::filesystem::path& path, Access access, const Key& key) {
  using Inner = GalleryStore::Access;
  const Inner inner = access == Access::read    ? Inner::kRead
                      : access == Access::write ? Inner::kWrite
                                                : Inner::kWriteIfPossible;
  return door::translated([&] {
    if (is_shard_folder(path)) {
      return Gallery(std::make_unique<Implementation>(open_folder(
          path, access == Access::write ? ShardFolder::Use::kChange : ShardFolder::Use::kAsk,
          key)));
    }
    return Gallery(std::make_unique<Implementation>(path, inner, key));
  });
}

Gallery Gallery::open_or_create(const std::filesystem::path& path, const Key& key) {
  return door::translated([&] {
    if (is_shard_folder(path)) {
      return Gallery(
          std::make_unique<Implementation>(open_folder(path, ShardFolder::Use::kChange, key)));
    }
    return Gallery(std::make_unique<Implementation>(path, GalleryStore::Access::kCreate, key));
  });
}

const std::filesystem::path& Gallery::path() const {
  return use().path();
}

Enrolled Gallery::enroll(const std::vector<Picture>& pictures, const EnrollOptions& options,
                         const Progress& progress) {
  Implementation& own = use();
  const auto work = [&] {
    EnrolOptions enrolling;
    enrolling.person = options.person;
    enrolling.force = options.force;
    enrolling.detector = options.detector;
    enrolling.check();
    const std::vector<Input> inputs = door::inputs_of(pictures);
    const EnrolReport report =
        own.shards()
            ? enrol_in_shards(*own.shards(), own.open_log(), pictures, inputs, enrolling, options,
                              own.progress)
            : enrol_in_file(own.store(), pictures, inputs, enrolling, options, own.progress);
    if (report.photos == 0 && !inputs.empty() && !options.allow_none) {
      const longshot::Rejection& first = report.rejections.front();
      throw Error("None of {} photos could be enrolled; the first, {}: {}", inputs.size(),
                  first.path, first.reason);
    }
    return Enrolled{report.people, report.photos, door::outer(report.rejections),
                    door::outer(report.warnings)};
  };
  return own.call(work, progress);
}

Verification Gallery::verify(const std::vector<Picture>& pictures, const std::string& person,
                             const VerifyOptions& options, const Progress& progress) {
  Implementation& own = use();
  const auto work = [&](const std::shared_ptr<AskedGallery>& gallery, longshot::Progress& shown) {
    const Verifier verifier(gallery, inner_options(options), shown);
    const longshot::Verification found = verifier.verify(door::inputs_of(pictures), person);
    Verification result{found.person,
                        found.match,
                        found.score,
                        found.threshold,
                        found.margin,
                        found.fmr,
                        door::outer(found.size),
                        found.frames,
                        door::outer(found.rejections),
                        door::outer(found.warnings)};
    own.note_question([&](const AuditKeys& keys) {
      return door::with_inputs(keys, verifying_act(result, options), pictures);
    });
    return result;
  };
  return own.ask(work, progress);
}

CameraReport Gallery::learn_camera(const std::vector<Picture>& crops, const CameraOptions& options,
                                   const Progress& progress) {
  Implementation& own = use();
  const auto work = [&] {
    const longshot::CameraReport report =
        learn_camera_of(own.store(), door::inputs_of(crops),
                        {door::inner(options.size), options.detector}, own.progress);
    own.note(own.store(), [&](const AuditKeys& keys) {
      return door::with_inputs(keys, door::act_of("camera"), crops);
    });
    return CameraReport{door::outer(report.camera), report.other_sizes,
                        door::outer(report.rejections), door::outer(camera_sheet(report))};
  };
  return own.call(work, progress);
}

Comparison Gallery::compare(const Picture& probe, const std::string& person,
                            const CompareOptions& options) {
  Implementation& own = use();
  return own.call([&] {
    Comparison result =
        door::compared(own.common(), own.photos_of(own.find(person)), probe, options);
    const auto acts = [&](const AuditKeys& keys) {
      return door::with_inputs(keys, door::act_of("compare", {person}), {probe});
    };
    own.shards() ? own.note_question(acts) : own.note(own.store(), acts);
    return result;
  });
}

void Gallery::prepare(Size size, const std::string& method, const Progress& progress) {
  Implementation& own = use();
  own.ask(
      [&](const std::shared_ptr<AskedGallery>& gallery, longshot::Progress& shown) {
        gallery->ask()->question(method, door::inner(size), {}, false, shown);
      },
      progress);
}

std::vector<Person> Gallery::people() const {
  Implementation& own = use();
  return own.call([&] {
    std::vector<Person> people;
    const auto all = own.shards() ? own.shards()->people() : own.store().people();
    for (const longshot::Person& one : all) {
      people.push_back({one.name, one.photos, one.enrolled_at});
    }
    return people;
  });
}

std::ptrdiff_t Gallery::person_count() const {
  Implementation& own = use();
  return own.call(
      [&] { return own.shards() ? own.shards()->totals().people : own.store().person_count(); });
}

std::ptrdiff_t Gallery::photo_count() const {
  Implementation& own = use();
  return own.call(
      [&] { return own.shards() ? own.shards()->totals().photos : own.store().photo_count(); });
}

std::vector<std::string> Gallery::indexes() const {
  Implementation& own = use();
  return own.call([&] { return own.common().index_keys(); });
}

Person Gallery::person(const std::string& name) const {
  Implementation& own = use();
  return own.call([&] {
    const longshot::Person found = own.find(name);
    return Person{found.name, found.photos, found.enrolled_at};
  });
}

std::vector<Photo> Gallery::photos(const std::string& person) const {
  Implementation& own = use();
  return own.call([&] {
    const GallerySnapshot snapshot(own.common());
    const std::optional<GallerySetup> setup = find_setup(own.common());
    std::vector<Photo> photos;
    for (const longshot::Photo& one : own.photos_of(own.find(person))) {
      photos.push_back(outer_photo(one, setup));
    }
    return photos;
  });
}

void Gallery::merge(const std::string& from, const std::string& into) {
  Implementation& own = use();
  own.call([&] {
    const AuditAct act = door::act_of("merge", {from, into});
    if (own.shards()) {
      own.find(from);
      own.find(into);
      return own.change(act, [&] { own.shards()->merge(from, into); });
    }
    require_no_shard(own.store());
    own.change(act, [&] { merge_people(own.store(), from, into); });
  });
}

Plane Gallery::face(const std::string& person, std::int64_t photo) const {
  Implementation& own = use();
  return own.call([&] {
    const GallerySnapshot snapshot(own.common());
    return door::kept_face(own.photos_of(own.find(person)), photo);
  });
}

void Gallery::rename(const std::string& from, const std::string& to) {
  Implementation& own = use();
  own.call([&] {
    const AuditAct act = door::act_of("rename", {from, to});
    if (own.shards()) {
      own.find(from);
      return own.change(act, [&] { own.shards()->rename(from, to); });
    }
    require_no_shard(own.store());
    own.change(act, [&] { own.store().rename_person(from, to); });
  });
}

void Gallery::remove(const std::string& person) {
  Implementation& own = use();
  own.call([&] {
    own.find(person);
    own.change(door::act_of("remove", {person}), [&] {
      if (own.shards()) return own.shards()->remove(person);
      own.find(person);
      return own.store().remove_person(person);
    });
  });
}

void Gallery::remove_photo(const std::string& person, std::int64_t id) {
  Implementation& own = use();
  const auto look = [&] {
    const std::vector<longshot::Photo> photos = own.photos_of(own.find(person));
    if (std::ranges::find(photos, id, &longshot::Photo::id) == photos.end()) {
      throw Error(ErrorKind::not_found, "{} has no photo with the id {}.", person, id);
    }
    if (photos.size() == 1) {
      throw Error("It is the only photo of {}: remove the person instead.", person);
    }
  };
  const auto remove_it = [&] {
    if (own.shards()) return own.shards()->remove_photo(person, id);
    look();
    longshot::remove_photo(own.store(), person, id);
  };
  AuditAct act = door::act_of("remove", {person});
  act.details = {{"photo", fmt::format("{}", id)}};
  own.call([&] {
    look();
    own.change(act, remove_it);
  });
}

bool Gallery::erasure_pending() const {
  Implementation& own = use();
  return own.call([&] { return !own.shards() && own.store().erasure_pending(); });
}

}  // namespace v0
}  // namespace longshot
