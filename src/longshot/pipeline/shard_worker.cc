// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/shard_worker.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/pipeline/gallery_index.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/pipeline/gallery_upkeep.h"
#include "longshot/pipeline/search_session.h"

namespace longshot {
namespace {

constexpr std::string_view kRequest = "A request to a shard";
constexpr std::uint32_t kMostBytes = std::uint32_t{1} << 30;

std::vector<ShardAddition> read_additions(ByteReader& in) {
  std::vector<ShardAddition> additions;
  for (Index left = in.count(kMostBytes); left > 0; --left) {
    ShardAddition addition;
    addition.shard = in.number<Index>();
    addition.person = read_people(in).at(0);
    for (Index photos = in.count(kMostBytes); photos > 0; --photos) {
      addition.photos.push_back(read_photo(in));
    }
    additions.push_back(std::move(addition));
  }
  return additions;
}

std::vector<Person> found_people(const GalleryStore& store, ShardOp op, ByteReader& in) {
  const FilePeople people(store);
  switch (op) {
    case ShardOp::kPeople: {
      const auto first = in.number<PersonId>();
      const auto last = in.number<PersonId>();
      return people.people({first, last}, in.number<Index>());
    }
    case ShardOp::kFirstFrom:
      return people.first_from(read_ids(in));
    case ShardOp::kWithIds:
      return people.with_ids(read_ids(in));
    default: {
      std::vector<Person> found;
      while (in.left() > 0) {
        if (auto person = people.find(in.text(kMostBytes))) found.push_back(*std::move(person));
      }
      return found;
    }
  }
}

std::vector<IdRow> faces_in(const GalleryStore& store, ByteReader& in) {
  const std::vector<PersonId> ids = read_ids(in);
  const auto rows = in.number<Index>();
  const Size high{rows, in.number<Index>()};
  std::vector<IdRow> faces;
  for (const PersonId id : ids) {
    const Matrix photos = photos_of(store, id, high);
    if (photos.cols() > 0) faces.push_back({id, photos.col(0)});
  }
  return faces;
}

std::string owners_in(const GalleryStore& store, ByteReader& in) {
  ByteWriter out;
  while (in.left() > 0) {
    const std::optional<Person> owner = store.find_photo_owner(in.text(kMostBytes));
    out.text(owner ? owner->name : "");
  }
  return out.take();
}

// A photo of somebody else's shard is none of ours.
void remove_photo_in(GalleryStore& store, ByteReader& in) {
  const std::string name = in.text(kMostBytes);
  if (store.find_person(name)) remove_photo(store, name, in.number<PhotoId>());
}

// Where somebody of that name is: who goes may be in the same shard, and comes from another if not.
// The other is left as it is.
void merge_in(GalleryStore& store, ByteReader& in) {
  const std::string into = in.text(kMostBytes);
  const Person from = read_people(in).at(0);
  if (!store.find_person(into)) return;
  GalleryTransaction transaction(store);
  if (!store.find_person(from.name)) {
    store.restore_person(from);
    while (in.left() > 0) store.restore_photo(from.id, read_photo(in));
  }
  merge_people(store, from.name, into);
  transaction.commit();
}

void rename_in(GalleryStore& store, ByteReader& in) {
  const std::string from = in.text(kMostBytes);
  if (store.find_person(from)) store.rename_person(from, in.text(kMostBytes));
}

ShardTotals totals_of(const GalleryStore& store) {
  return {store.person_count(), store.photo_count(), store.last_person_id()};
}

// The model under its key, and no others than `kept`.
void adopt_model(GalleryStore& store, ByteReader& in) {
  const std::string key = in.text(kMostBytes);
  const std::string bytes = in.text(kMostBytes);
  std::vector<std::string> kept;
  while (in.left() > 0) kept.push_back(in.text(kMostBytes));
  std::vector<std::string> gone = recognizer_keys(store);
  std::erase_if(gone, [&](const std::string& one) { return std::ranges::count(kept, one) > 0; });
  if (store.model(key) == bytes && gone.empty()) return;
  GalleryTransaction transaction(store);
  for (const std::string& one : gone) {
    store.erase_index(one);
    store.erase_model(one);
  }
  if (store.model(key) != bytes) {
    store.erase_index(key);
    store.put_model(key, bytes);
  }
  transaction.commit();
}

void check_models(const GalleryStore& store, const ShardManifest& manifest) {
  const std::vector<ShardModel> models = shard_models(store);
  for (const ShardModel& model : models) {
    const auto known = std::ranges::find(manifest.models, model.key, &ShardModel::key);
    if (known == manifest.models.end() || known->checksum == model.checksum) continue;
    throw Error(ErrorKind::damaged,
                "The shard {} has another model \"{}\" than its folder: restore it from a copy.",
                store.path().string(), model.key);
  }
}

}  // namespace

struct ShardWorker::Held {
  Held(Index shard, GalleryStore opened) : number(shard), store(std::move(opened)) {}

  struct Opened {
    GalleryModel model;
    std::shared_ptr<const OpenIndex> index;
  };

  const Opened& opened(const std::string& key) {
    const GallerySnapshot snapshot(store);
    auto found = models.find(key);
    if (found == models.end()) {
      std::optional<GalleryModel> model = find_model(store, key);
      if (!model) throw Error(ErrorKind::damaged, "It has no model \"{}\".", key);
      found = models.emplace(key, Opened{std::move(*model), nullptr}).first;
    }
    // An empty shard has no index, and nobody in it is near.
    if (store.person_count() > 0) {
      found->second.index = open_index(store, found->second.model, found->second.index);
    }
    return found->second;
  }

  void add(ByteReader& in) {
    GalleryTransaction transaction(store);
    std::vector<PersonPhotos> changed;
    const Size high = setup_of(store).high;
    for (const ShardAddition& addition : read_additions(in)) {
      const bool there = store.person(addition.person.id).has_value();
      const bool ours =
          addition.shard == ShardAddition::kWhereTheyAre ? there : addition.shard == number;
      if (!ours) continue;
      if (!there) store.restore_person(addition.person);
      for (const Photo& photo : addition.photos) store.add_photo(addition.person.id, photo);
      changed.push_back({addition.person.id, photos_of(store, addition.person.id, high)});
    }
    if (changed.empty()) return;
    extend_indexes(store, all_models(store), changed);
    transaction.commit();
  }

  Index number;
  GalleryStore store;
  std::map<std::string, Opened> models;
};

ShardWorker::ShardWorker(const std::filesystem::path& folder, const std::vector<Index>& shards,
                         GalleryStore::Access access, GalleryKey::Shared key)
    : folder_(folder), key_(std::move(key)) {
  const ShardManifest manifest = read_shard_manifest(folder);
  for (const Index shard : shards) {
    GalleryStore store = open_shard(folder, shard, access, key_);
    check_models(store, manifest);
    held_.push_back(std::make_unique<Held>(shard, std::move(store)));
  }
}

ShardWorker::~ShardWorker() = default;

void ShardWorker::set_inputs(ShardInputs inputs) {
  inputs_ = std::make_unique<ShardInputs>(std::move(inputs));
}

std::string ShardWorker::answer(std::string_view request) {
  const auto guarded = [&](const std::string& where, const auto& work) {
    try {
      return good_reply(work());
    } catch (const Error& error) {
      return error_reply(error.kind(), where + error.what());
    }
  };
  if (op_of(request) == ShardOp::kExamine) return guarded("", [&] { return examined(request); });
  std::string answer;
  for (const auto& shard : held_) {
    const std::string own = guarded(fmt::format("{}: ", shard->store.path().string()),
                                    [&] { return answer_of(*shard, request); });
    answer = answer.empty() ? own : combine_replies(request, answer, own);
  }
  return answer;
}

std::string ShardWorker::answer_of(Held& shard, std::string_view request) {
  ByteReader in(request, kRequest);
  const auto op = static_cast<ShardOp>(in.number<std::uint8_t>());
  ByteWriter out;
  switch (op) {
    case ShardOp::kCounts:
      write_totals(out, totals_of(shard.store));
      break;
    case ShardOp::kPeople:
    case ShardOp::kFirstFrom:
    case ShardOp::kWithIds:
    case ShardOp::kFind:
      write_people(out, found_people(shard.store, op, in));
      break;
    case ShardOp::kFaces:
      write_rows(out, faces_in(shard.store, in));
      break;
    case ShardOp::kAdoptModel:
      adopt_model(shard.store, in);
      shard.models.clear();
      break;
    case ShardOp::kCompleteIndex: {
      const std::optional<GalleryModel> model = find_model(shard.store, in.text(kMostBytes));
      if (model) complete_index(shard.store, *model);
      break;
    }
    case ShardOp::kSearch:
    case ShardOp::kSearchTracks:
    case ShardOp::kDistances:
      return searched(shard, op, in);
    case ShardOp::kOwners:
      return owners_in(shard.store, in);
    case ShardOp::kAdd:
      shard.add(in);
      break;
    case ShardOp::kPhotos:
      for (const Photo& photo : shard.store.photos(in.number<PersonId>())) write_photo(out, photo);
      break;
    case ShardOp::kRename:
      rename_in(shard.store, in);
      break;
    case ShardOp::kMerge:
      merge_in(shard.store, in);
      break;
    case ShardOp::kRemovePhoto:
      remove_photo_in(shard.store, in);
      break;
    case ShardOp::kRemove:
      shard.store.remove_person(in.text(kMostBytes));
      write_totals(out, totals_of(shard.store));
      break;
    case ShardOp::kExamine:
      break;
  }
  return out.take();
}

std::string ShardWorker::searched(Held& shard, ShardOp op, ByteReader& in) {
  const SearchBasis basis = read_basis(in);
  const Held::Opened& opened = shard.opened(basis.model);
  std::optional<Camera> camera;
  if (!basis.camera.empty()) camera = decode_camera(basis.camera, "A camera", true);
  ByteWriter out;
  const bool empty = !opened.index;
  // Without an index nothing is searched.
  const auto search = [&] {
    return GallerySearch(shard.store, opened.model, nullptr, opened.index, camera);
  };
  // An index that does not fit into memory is read in one state of the gallery.
  std::optional<GallerySnapshot> snapshot;
  if (!empty && !opened.index->block.searcher) snapshot.emplace(shard.store);
  if (op == ShardOp::kDistances) {
    std::vector<PersonId> own;
    for (const Person& person : FilePeople(shard.store).with_ids(read_ids(in))) {
      own.push_back(person.id);
    }
    std::vector<IdRow> rows;
    if (!own.empty()) {
      const Matrix distances = search().distances(in.matrix(), own);
      for (std::size_t i = 0; i < own.size(); ++i) {
        rows.push_back({own[i], distances.row(static_cast<Index>(i)).transpose()});
      }
    }
    write_rows(out, rows);
    return out.take();
  }
  const auto top = in.number<Index>();
  if (op == ShardOp::kSearch) {
    const Matrix probes = in.matrix();
    write_nearest(out, empty ? NearestPeople(static_cast<std::size_t>(probes.cols()))
                             : search().nearest(probes, top));
    return out.take();
  }
  const auto zero = in.number<double>();
  const Vector unit = in.vector();
  const std::vector<PersonId> of_probes = read_ids(in);
  ProbeTracks tracks{{of_probes.begin(), of_probes.end()}, in.vector(), 0};
  tracks.count = in.number<Index>();
  const Matrix probes = in.matrix();
  write_nearest(out, empty ? NearestPeople(static_cast<std::size_t>(tracks.count))
                           : search().nearest_tracks(probes, tracks, zero, unit, top));
  return out.take();
}

std::string ShardWorker::examined(std::string_view request) {
  ByteReader in(request, kRequest);
  in.number<std::uint8_t>();
  const auto first = in.number<Index>();
  const auto last = in.number<Index>();
  if (!inputs_) return "";
  if (last > std::ssize(inputs_->inputs)) in.refuse("it is about other photos");
  if (!intake_) {
    const GalleryStore common(folder_ / kSharedGallery, GalleryStore::Access::kRead, {.key = key_});
    intake_ = std::make_unique<FaceIntake>(intake_for(common, inputs_->options.detector));
  }
  std::vector<Index> own;
  for (Index i = first; i < last; ++i) {
    if (i % inputs_->parts == inputs_->part) own.push_back(i);
  }
  ByteWriter out;
  for (const auto& [input, found] :
       examine_inputs(inputs_->inputs, own, *intake_, inputs_->options)) {
    out.number(input);
    out.text(found.problem);
    out.count(std::ssize(found.remarks));
    for (const std::string& remark : found.remarks) out.text(remark);
    if (found.problem.empty()) write_photo(out, found.photo.value());
  }
  return out.take();
}

std::vector<ShardExamined> examine_inputs(const std::vector<Input>& inputs,
                                          const std::vector<Index>& which, FaceIntake& intake,
                                          const EnrolOptions& options) {
  std::vector<ShardExamined> found(which.size());
  parallel_for(std::ssize(which), [&](Index i) {
    const Index input = which[static_cast<std::size_t>(i)];
    found[static_cast<std::size_t>(i)] = {
        input, examine(inputs[static_cast<std::size_t>(input)], intake, options)};
  });
  return found;
}

void write_additions(ByteWriter& out, const std::vector<ShardAddition>& additions) {
  out.count(std::ssize(additions));
  for (const ShardAddition& addition : additions) {
    out.number(addition.shard);
    write_people(out, {addition.person});
    out.count(std::ssize(addition.photos));
    for (const Photo& photo : addition.photos) write_photo(out, photo);
  }
}

std::vector<ShardExamined> read_examined(std::string_view content) {
  ByteReader in(content, "What a process says about photos");
  std::vector<ShardExamined> all;
  while (in.left() > 0) {
    ShardExamined one;
    one.input = in.number<Index>();
    one.examined.problem = in.text(kMostBytes);
    for (Index left = in.count(kMostBytes); left > 0; --left) {
      one.examined.remarks.push_back(in.text(kMostBytes));
    }
    if (one.examined.problem.empty()) one.examined.photo = read_photo(in);
    all.push_back(std::move(one));
  }
  std::ranges::sort(all, {}, &ShardExamined::input);
  return all;
}

}  // namespace longshot
