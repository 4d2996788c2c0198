// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/open_shards.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/pipeline/gallery_calibration.h"
#include "longshot/pipeline/gallery_model.h"

namespace longshot {
namespace {

class LocalTransport final : public ShardTransport {
 public:
  explicit LocalTransport(ShardWorker& worker) : worker_(worker) {}
  std::string ask(std::string_view request) override { return worker_.answer(request); }

 private:
  ShardWorker& worker_;
};

std::vector<Person> people_in(const std::string& content) {
  ByteReader in(content, "An answer of shards");
  return read_people(in);
}

// The rows of an answer in the order of the ids.
Matrix rows_in_order(const std::string& content, const std::vector<PersonId>& ids, Index length,
                     const std::string& name) {
  ByteReader in(content, "An answer of shards");
  std::vector<IdRow> rows = read_rows(in);
  std::ranges::sort(rows, {}, &IdRow::id);
  Matrix result(static_cast<Index>(ids.size()), length);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto row = std::ranges::lower_bound(rows, ids[i], {}, &IdRow::id);
    if (row == rows.end() || row->id != ids[i] || row->values.size() != length) {
      throw Error("Somebody in {} has no photo, or was removed meanwhile.", name);
    }
    result.row(static_cast<Index>(i)) = row->values.transpose();
  }
  return result;
}

NearestPeople nearest_in(const std::string& content) {
  ByteReader in(content, "An answer of shards");
  return read_nearest(in);
}

class ShardSearch final : public PeopleSearch {
 public:
  ShardSearch(const ShardPeople& people, const GalleryModel& model,
              std::shared_ptr<const Searcher> background, const std::optional<Camera>& camera)
      : people_(people),
        model_(model),
        plain_background_(std::move(background)),
        background_(centred(plain_background_, camera)),
        camera_(camera ? encode_camera(*camera) : "") {}

  Nearest search(const MatrixRef& probes, Index top) const override {
    ByteWriter request = question(ShardOp::kSearch);
    request.number(top);
    request.matrix(probes);
    return {nearest_in(people_.ask(std::move(request))), background_->distances(probes), {}};
  }
  Nearest search_tracks(const MatrixRef& probes, const ProbeTracks& tracks, double zero,
                        Index top) const override {
    TrackUnits units = track_units(background_->distances(probes), tracks, zero);
    ByteWriter request = question(ShardOp::kSearchTracks);
    request.number(top);
    request.number(zero);
    request.matrix(units.unit);
    write_ids(request, {tracks.track.begin(), tracks.track.end()});
    request.matrix(tracks.weight);
    request.number(tracks.count);
    request.matrix(probes);
    return {nearest_in(people_.ask(std::move(request))), std::move(units.background),
            std::move(units.alike)};
  }
  Matrix distances(const MatrixRef& probes, const std::vector<PersonId>& ids) const override {
    ByteWriter request = question(ShardOp::kDistances);
    write_ids(request, ids);
    request.matrix(probes);
    const Matrix own =
        rows_in_order(people_.ask(std::move(request)), ids, probes.cols(), people_.name());
    const Matrix beside = background_->distances(probes);
    Matrix all(own.rows() + beside.rows(), probes.cols());
    all << own, beside;
    return all;
  }
  const GalleryModel& model() const override { return model_; }
  std::unique_ptr<const PeopleSearch> for_camera(
      const std::optional<Camera>& camera) const override {
    return std::make_unique<ShardSearch>(people_, model_, plain_background_, camera);
  }

 private:
  ByteWriter question(ShardOp op) const {
    ByteWriter request = request_of(op);
    write_basis(request, {model_.key, camera_});
    return request;
  }

  ShardPeople people_;
  const GalleryModel& model_;
  std::shared_ptr<const Searcher> plain_background_;
  std::shared_ptr<const Searcher> background_;  // for the camera
  std::string camera_;                          // that took the probes, as its file has it
};

// Copies the model to all shards. The manifest never says what a shard does not have, so that one
// that is killed here is whole.
void adopt_everywhere(ShardFolder& folder, const GalleryStore& common, const ShardPeople& people,
                      const std::string& key) {
  const std::vector<ShardModel> models = shard_models(common);
  const auto stale = [&](const ShardModel& one) { return !std::ranges::count(models, one); };
  if (std::ranges::any_of(folder.manifest().models, stale)) {
    folder.update([&](ShardManifest& manifest) { std::erase_if(manifest.models, stale); });
  }
  ByteWriter adopt = request_of(ShardOp::kAdoptModel);
  adopt.text(key);
  adopt.text(common.model(key).value());
  for (const std::string& kept : recognizer_keys(common)) adopt.text(kept);
  people.ask(std::move(adopt));
  const ShardModel adopted = *std::ranges::find(models, key, &ShardModel::key);
  if (std::ranges::count(folder.manifest().models, adopted) > 0) return;
  folder.update([&](ShardManifest& manifest) {
    manifest.models.push_back(adopted);
    std::ranges::sort(manifest.models, {}, &ShardModel::key);
  });
}

// The model as all shards have it, with all templates made.
GalleryModel shared_model(ShardFolder& folder, GalleryStore& common, const ShardPeople& people,
                          const std::string& method, Size size, const std::optional<Camera>& camera,
                          Progress& progress) {
  if (people.count() == 0) {
    throw Error("Nobody is enrolled in {}: enrol people first.", people.name());
  }
  GalleryModel model = provide_model(common, people, method, size, camera, progress);
  if (!model.recognizer->has_independent_distances()) {
    throw Error(ErrorKind::unsupported,
                "The method {} codes a probe over all people at once: merge the shards first.",
                method);
  }
  adopt_everywhere(folder, common, people, model.key);
  ProgressScope scope(progress, "Building the index " + model_title(model.key), 1);
  ByteWriter complete = request_of(ShardOp::kCompleteIndex);
  complete.text(model.key);
  people.ask(std::move(complete));
  scope.advance();
  return model;
}

class ShardSession final : public Session {
 public:
  ShardSession(ShardFolder& folder, GalleryStore& common, const ShardPeople& people,
               const std::string& method, Size size, const std::optional<Camera>& camera,
               Progress& progress)
      : Session(shared_model(folder, common, people, method, size, camera, progress)),
        background_(enrol_background(model_, background_of(common, BackgroundParts::kPeople))) {
    calibration_ = provide_calibration(common, people, *search(people), Days::kUnknown, progress);
  }
  bool holds(const ShardPeople& people) const {
    return still_holds(calibration_, people.count()) || holds_templates_only(people.common());
  }
  std::unique_ptr<const PeopleSearch> search(const ShardPeople& people,
                                             const std::optional<Camera>& camera = {}) const {
    return std::make_unique<ShardSearch>(people, model_, background_, camera);
  }

 private:
  std::shared_ptr<const Searcher> background_;
};

}  // namespace

std::unique_ptr<ShardWorker> hold_all_shards(const ShardFolder& folder) {
  std::vector<Index> all(static_cast<std::size_t>(folder.shards()));
  std::iota(all.begin(), all.end(), Index{0});
  return std::make_unique<ShardWorker>(folder.path(), all, GalleryStore::Access::kWriteIfPossible,
                                       folder.key());
}

std::string ShardPeople::ask(ByteWriter request) const {
  const std::string answer = transport_.ask(request.take());
  return std::string(content_of(answer));
}

ShardTotals ShardPeople::totals() const {
  const std::string content = ask(request_of(ShardOp::kCounts));
  ByteReader in(content, "An answer of shards");
  return read_totals(in);
}

std::vector<Person> ShardPeople::people(IdRange range, Index limit) const {
  ByteWriter request = request_of(ShardOp::kPeople);
  request.number(range.first);
  request.number(range.last);
  request.number(limit);
  return people_in(ask(std::move(request)));
}

std::vector<Person> ShardPeople::first_from(const std::vector<PersonId>& ids) const {
  ByteWriter request = request_of(ShardOp::kFirstFrom);
  write_ids(request, ids);
  return people_in(ask(std::move(request)));
}

std::vector<Person> ShardPeople::with_ids(const std::vector<PersonId>& ids) const {
  ByteWriter request = request_of(ShardOp::kWithIds);
  write_ids(request, ids);
  return people_in(ask(std::move(request)));
}

std::vector<Person> ShardPeople::with_names(const std::vector<std::string>& names) const {
  ByteWriter request = request_of(ShardOp::kFind);
  for (const std::string& name : names) request.text(name);
  return people_in(ask(std::move(request)));
}

std::optional<Person> ShardPeople::find(const std::string& name) const {
  const std::vector<Person> found = with_names({name});
  return found.empty() ? std::nullopt : std::optional(found.front());
}

Person ShardPeople::require(const std::string& name) const {
  if (auto found = find(name)) return *std::move(found);
  throw Error(ErrorKind::not_found, "There is no person named \"{}\" in {}.", name, this->name());
}

std::string ShardPeople::photos(PersonId person) const {
  ByteWriter request = request_of(ShardOp::kPhotos);
  request.number(person);
  return ask(std::move(request));
}

Matrix ShardPeople::first_faces(const std::vector<PersonId>& ids, Size high) const {
  ByteWriter request = request_of(ShardOp::kFaces);
  write_ids(request, ids);
  request.number(high.rows);
  request.number(high.cols);
  return rows_in_order(ask(std::move(request)), ids, high.pixels(), name()).transpose();
}

// One thread at a time: a transport has one question under way.
class OpenShards::ShardAsking final : public Asking {
 public:
  explicit ShardAsking(OpenShards& shards)
      : shards_(shards), lock_(shards.mutex_), people_(shards.shard_people()) {}

  const GalleryPeople& people() const override { return people_; }
  Question question(const std::string& method, Size size, const std::optional<Camera>& camera,
                    bool once, Progress& progress) override {
    std::shared_ptr<const Session>& kept = shards_.sessions_[model_key(method, size, camera)];
    auto session = std::dynamic_pointer_cast<const ShardSession>(kept);
    if (!session || !session->holds(people_)) {
      kept.reset();  // before the next takes its memory
      session = std::make_shared<const ShardSession>(*shards_.folder_, shards_.common_, people_,
                                                     method, size, camera, progress);
      if (!once) kept = session;
    }
    return {session, nullptr, session->search(people_, camera)};
  }
  Calibration calibration(const Question& question, Days days, Progress& progress) override {
    if (days == Days::kUnknown) return question.session->calibration();
    return provide_calibration(shards_.common_, people_, *question.search->for_camera({}), days,
                               progress);
  }

 private:
  OpenShards& shards_;
  std::lock_guard<std::mutex> lock_;
  ShardPeople people_;
};

OpenShards::OpenShards(std::unique_ptr<ShardFolder> folder,
                       std::unique_ptr<ShardTransport> transport, double coverage)
    : folder_(std::move(folder)),
      common_(folder_->open_shared(GalleryStore::Access::kWriteIfPossible)),
      transport_(std::move(transport)),
      coverage_(coverage) {
  if (transport_) return;
  worker_ = hold_all_shards(*folder_);
  transport_ = std::make_unique<LocalTransport>(*worker_);
}

OpenShards::~OpenShards() = default;

std::unique_ptr<Asking> OpenShards::ask() {
  return std::make_unique<ShardAsking>(*this);
}

ShardTotals OpenShards::totals() {
  const std::lock_guard lock(mutex_);
  return shard_people().totals();
}

std::vector<Person> OpenShards::people() {
  const std::lock_guard lock(mutex_);
  return shard_people().people({}, kNoLimit);
}

std::optional<Person> OpenShards::find(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return shard_people().find(name);
}

CheckReport OpenShards::check(Progress& progress) {
  const std::lock_guard lock(mutex_);
  return check_folder(*folder_, progress);
}

void OpenShards::back_up(const std::filesystem::path& out, Progress& progress) {
  const std::lock_guard lock(mutex_);
  back_up_shards(*folder_, out, progress);
}

std::vector<Photo> OpenShards::photos(PersonId person) {
  const std::lock_guard lock(mutex_);
  const std::string content = shard_people().photos(person);
  ByteReader in(content, "An answer of shards");
  std::vector<Photo> photos;
  while (in.left() > 0) photos.push_back(read_photo(in));
  return photos;
}

}  // namespace longshot
