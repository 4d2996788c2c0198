// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/gallery/shard_folder.h"
#include "longshot/pipeline/enroller.h"
#include "longshot/pipeline/gallery_upkeep.h"
#include "longshot/pipeline/open_gallery.h"
#include "longshot/pipeline/shard_worker.h"

namespace longshot {

// Puts a request to all shards, wherever they are held, and brings back their combined answer.
class ShardTransport {
 public:
  virtual ~ShardTransport() = default;
  virtual std::string ask(std::string_view request) = 0;
};

// All shards of the folder in this process.
std::unique_ptr<ShardWorker> hold_all_shards(const ShardFolder& folder);

// The people of all shards.
class ShardPeople final : public GalleryPeople {
 public:
  ShardPeople(const ShardFolder& folder, const GalleryStore& common, ShardTransport& transport,
              double coverage)
      : folder_(folder), common_(common), transport_(transport), coverage_(coverage) {}

  std::string name() const override { return folder_.path().string(); }
  const GalleryStore& common() const override { return common_; }
  Index count() const override { return totals().people; }
  PersonId last_id() const override { return totals().last; }
  std::vector<Person> people(IdRange range, Index limit) const override;
  std::vector<Person> first_from(const std::vector<PersonId>& ids) const override;
  std::vector<Person> with_ids(const std::vector<PersonId>& ids) const override;
  std::optional<Person> find(const std::string& name) const override;
  // In order of id, passing over names that nobody has.
  std::vector<Person> with_names(const std::vector<std::string>& names) const;
  Matrix first_faces(const std::vector<PersonId>& ids, Size high) const override;
  double coverage() const override { return coverage_; }

  ShardTotals totals() const;
  // Throws Error if nobody has that name.
  Person require(const std::string& name) const;
  std::string photos(PersonId person) const;  // as write_photo() has them, in order of id
  // The content of the answer; throws what is an Error.
  std::string ask(ByteWriter request) const;

 private:
  const ShardFolder& folder_;
  const GalleryStore& common_;
  ShardTransport& transport_;
  double coverage_;
};

// A folder of shards for any number of threads, one of which is served at a time. Answers, scores
// and decisions are those of one file with the same people, to the last bit.
class OpenShards final : public AskedGallery {
 public:
  // The transport, or with none all shards in this process. `coverage` is the share of the people
  // whom the transport reaches.
  explicit OpenShards(std::unique_ptr<ShardFolder> folder,
                      std::unique_ptr<ShardTransport> transport = nullptr, double coverage = 1.0);
  ~OpenShards() override;

  std::unique_ptr<Asking> ask() override;

  const std::filesystem::path& path() const { return folder_->path(); }
  const GalleryKey::Shared& key() const { return folder_->key(); }
  ShardTotals totals();
  std::vector<Person> people();
  std::optional<Person> find(const std::string& name);
  std::vector<Photo> photos(PersonId person);  // in order of id
  CheckReport check(Progress& progress);
  void back_up(const std::filesystem::path& out, Progress& progress);

  // The folder must be open for changing, or the rest throws Error.

  void require_change() const { folder_->require_change(); }
  // Adds the faces of the inputs as enrol() does, with the ids that one file would have given. Of a
  // call that was killed, what is there already counts as enrolled now where `again` says so. What
  // is to be called before a commit is called before each part that shards are told to add.
  EnrolReport enrol(const std::vector<Input>& inputs, const EnrolOptions& options, bool again,
                    Progress& progress);
  // Returns false if there is no such person.
  bool remove(const std::string& name);
  // They stay in their shard until the folder is rebalanced. Throws Error as
  // GalleryStore::rename_person() does.
  void rename(const std::string& from, const std::string& to);
  // As GalleryStore::merge_people(). Killed at any moment, whoever opens the folder next finds the
  // two as they were, or one.
  void merge(const std::string& from, const std::string& into);
  void remove_photo(const std::string& person, PhotoId photo);

 private:
  class ShardAsking;
  class Enrolment;

  void forget_reserved(const std::string& name);  // of an enrolment that was killed
  ShardPeople shard_people() { return {*folder_, common_, *transport_, coverage_}; }

  std::unique_ptr<ShardFolder> folder_;
  GalleryStore common_;
  std::unique_ptr<ShardWorker> worker_;  // where there is no other transport
  std::unique_ptr<ShardTransport> transport_;
  double coverage_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Session>> sessions_;  // by the model's key
};

}  // namespace longshot
