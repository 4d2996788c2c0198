// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ctime>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/gallery/shard_hash.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/pipeline/open_shards.h"

namespace longshot {
namespace {

constexpr Index kPhotosPerBatch = 256;

std::vector<std::string> owners_of(const ShardPeople& people,
                                   const std::vector<ShardExamined>& photos) {
  ByteWriter request = request_of(ShardOp::kOwners);
  for (const ShardExamined& one : photos) {
    request.text(one.examined.photo ? one.examined.photo->content_hash : "");
  }
  const std::string content = people.ask(std::move(request));
  ByteReader in(content, "An answer of shards");
  std::vector<std::string> owners;
  while (in.left() > 0) owners.push_back(in.text(1 << 20));
  return owners;
}

}  // namespace

// One call of enrol(). Ids are made durable before anybody is written under them, so that a call
// that is killed and made again gives everybody the same one.
class OpenShards::Enrolment {
 public:
  Enrolment(OpenShards& shards, const std::vector<Input>& inputs, const EnrolOptions& options,
            bool again)
      : shards_(shards),
        people_(shards.shard_people()),
        inputs_(inputs),
        options_(options),
        again_(again) {}

  void run_batch(Index first, Index last) {
    ByteWriter request = request_of(ShardOp::kExamine);
    request.number(first);
    request.number(last);
    std::vector<ShardExamined> photos = read_examined(people_.ask(std::move(request)));
    if (photos.empty()) photos = examine_here(first, last);
    const std::vector<std::string> owners = owners_of(people_, photos);
    additions_.clear();
    hashes_.clear();
    look_up(photos);
    for (std::size_t i = 0; i < photos.size(); ++i) take(photos[i], owners[i]);
    if (additions_.empty()) return;
    tell_batch(first, last);
    reserve_ids();
    ByteWriter add = request_of(ShardOp::kAdd);
    std::vector<ShardAddition> additions;
    for (auto& [name, addition] : additions_) additions.push_back(std::move(addition));
    write_additions(add, additions);
    people_.ask(std::move(add));
  }
  EnrolReport take_report() { return std::move(report_); }

 private:
  const std::string& name_of(const Input& input) const {
    return options_.person.empty() ? input.sample.subject : options_.person;
  }

  // Photos that no process was given, as those that come over a network.
  std::vector<ShardExamined> examine_here(Index first, Index last) {
    if (!intake_) {
      intake_ = std::make_unique<FaceIntake>(intake_for(shards_.common_, options_.detector));
    }
    std::vector<Index> all(static_cast<std::size_t>(last - first));
    std::iota(all.begin(), all.end(), first);
    return examine_inputs(inputs_, all, *intake_, options_);
  }

  // Who of these is enrolled already, by one question for all.
  void look_up(const std::vector<ShardExamined>& photos) {
    std::set<std::string> names;
    for (const ShardExamined& one : photos) {
      names.insert(name_of(inputs_[static_cast<std::size_t>(one.input)]));
    }
    known_.clear();
    for (Person& person : people_.with_names({names.begin(), names.end()})) {
      known_[person.name] = std::move(person);
    }
  }

  // Decides about one photo, as Enroller::add() does in one file.
  void take(const ShardExamined& one, const std::string& owner) {
    const Input& input = inputs_[static_cast<std::size_t>(one.input)];
    const std::string& name = name_of(input);
    const auto refuse = [&](std::string why) {
      report_.rejections.push_back({input.path, std::move(why)});
    };
    if (!one.examined.photo) return refuse(one.examined.problem);
    const std::string& hash = one.examined.photo->content_hash;
    const auto earlier = hashes_.find(hash);
    const std::string& taken = earlier == hashes_.end() ? owner : earlier->second;
    if (!taken.empty() && !(again_ && taken == name && earlier == hashes_.end())) {
      return refuse(fmt::format("The same photo is already enrolled for {}.", taken));
    }
    if (taken.empty()) {
      hashes_[hash] = name;
      add_to(name).photos.push_back(*one.examined.photo);
    }
    report_.photos += 1;
    for (const std::string& remark : one.examined.remarks) {
      report_.warnings.push_back({input.path, remark});
    }
  }

  ShardAddition& add_to(const std::string& name) {
    const auto [place, first] = additions_.try_emplace(name);
    if (!first) return place->second;
    ShardAddition& addition = place->second;
    const auto known = known_.find(name);
    if (known != known_.end()) {
      addition.person = known->second;
      addition.shard = ShardAddition::kWhereTheyAre;
    } else {
      addition.person.name = name;
      addition.person.enrolled_at = utc_time(static_cast<std::int64_t>(std::time(nullptr)));
      order_.push_back(name);
      report_.people += 1;
    }
    return addition;
  }

  void tell_batch(Index first, Index last) const {
    if (!options_.before_commit) return;
    EnrolBatch batch{
        static_cast<std::size_t>(first), static_cast<std::size_t>(last - first), {}, 0};
    for (const auto& [name, addition] : additions_) {
      batch.people.push_back(name);
      batch.photos += std::ssize(addition.photos);
    }
    options_.before_commit(batch);
  }

  void reserve_ids() {
    ShardFolder& folder = *shards_.folder_;
    std::map<std::string, std::string> kept_as;
    for (const std::string& name : order_) kept_as[name] = folder.reserved_as(name);
    folder.update([&](ShardManifest& manifest) {
      std::map<std::string, PersonId> reserved;
      for (const std::string& name : order_) {
        const auto before = manifest.reserved.find(kept_as.at(name));
        const PersonId id =
            before != manifest.reserved.end() ? before->second : manifest.next_person++;
        reserved[kept_as.at(name)] = id;
        additions_.at(name).person.id = id;
        const Index home = shard_of(name, std::ssize(manifest.shards));
        additions_.at(name).shard = home;
        if (before == manifest.reserved.end()) {
          ++manifest.shards[static_cast<std::size_t>(home)].people;
        }
      }
      manifest.reserved = std::move(reserved);
    });
    order_.clear();
  }

  OpenShards& shards_;
  ShardPeople people_;
  const std::vector<Input>& inputs_;
  const EnrolOptions& options_;
  bool again_;
  std::map<std::string, Person> known_;             // of this batch, by name
  std::map<std::string, ShardAddition> additions_;  // by name
  std::map<std::string, std::string> hashes_;       // of this batch, with their owners
  std::vector<std::string> order_;                  // of new people
  EnrolReport report_;
  std::unique_ptr<FaceIntake> intake_;
};

EnrolReport OpenShards::enrol(const std::vector<Input>& inputs, const EnrolOptions& options,
                              bool again, Progress& progress) {
  const std::lock_guard lock(mutex_);
  folder_->require_change();
  options.check();
  require_photos(common_);
  Enrolment enrolment(*this, inputs, options, again);
  const Index count = std::ssize(inputs);
  ProgressScope scope(progress, "Enrolling", count);
  for (Index first = 0; first < count; first += kPhotosPerBatch) {
    const Index last = std::min(count, first + kPhotosPerBatch);
    enrolment.run_batch(first, last);
    scope.advance(last - first);
  }
  folder_->update([](ShardManifest& manifest) { manifest.reserved.clear(); });
  return enrolment.take_report();
}

void OpenShards::forget_reserved(const std::string& name) {
  if (folder_->manifest().reserved.empty()) return;
  const std::string kept_as = folder_->reserved_as(name);
  if (!folder_->manifest().reserved.contains(kept_as)) return;
  folder_->update([&](ShardManifest& manifest) { manifest.reserved.erase(kept_as); });
}

bool OpenShards::remove(const std::string& name) {
  const std::lock_guard lock(mutex_);
  folder_->require_change();
  const ShardPeople people = shard_people();
  if (!people.find(name)) return false;
  ByteWriter request = request_of(ShardOp::kRemove);
  request.text(name);
  people.ask(std::move(request));
  forget_reserved(name);
  return true;
}

void OpenShards::rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  folder_->require_change();
  const ShardPeople people = shard_people();
  people.require(from);
  if (from != to && people.find(to)) {
    throw Error(ErrorKind::already_there, "There is already a person named \"{}\" in {}.", to,
                people.name());
  }
  ByteWriter request = request_of(ShardOp::kRename);
  request.text(from);
  request.text(to);
  people.ask(std::move(request));
  forget_reserved(from);
}

void OpenShards::merge(const std::string& from, const std::string& into) {
  const std::lock_guard lock(mutex_);
  folder_->require_change();
  const ShardPeople people = shard_people();
  const Person gone = people.require(from);
  const Person stays = people.require(into);
  if (gone.id == stays.id) throw Error("\"{}\" is one person already.", into);
  if (folder_->manifest().merging) {
    throw Error("Two people in {} were not merged to the end: open it anew, which sees to that.",
                people.name());
  }
  ByteWriter request = request_of(ShardOp::kMerge);
  request.text(into);
  write_people(request, {gone});
  const std::string photos = people.photos(gone.id);
  ByteReader in(photos, "An answer of shards");
  while (in.left() > 0) write_photo(request, read_photo(in));
  folder_->update([&](ShardManifest& manifest) { manifest.merging = {gone.id, stays.id}; });
  people.ask(std::move(request));
  ByteWriter remove = request_of(ShardOp::kRemove);
  remove.text(from);
  people.ask(std::move(remove));
  folder_->update([](ShardManifest& manifest) { manifest.merging.reset(); });
  forget_reserved(from);
}

void OpenShards::remove_photo(const std::string& person, PhotoId photo) {
  const std::lock_guard lock(mutex_);
  folder_->require_change();
  ByteWriter request = request_of(ShardOp::kRemovePhoto);
  request.text(person);
  request.number(photo);
  shard_people().ask(std::move(request));
}

}  // namespace longshot
