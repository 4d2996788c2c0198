// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/shard_folder.h"

#include <set>

#include <gmock/gmock.h>

#include "longshot/gallery/shard_hash.h"
#include "longshot/gallery/shard_scratch_test.h"

namespace longshot {
namespace {

using testing::HasSubstr;
using Use = ShardFolder::Use;
using Access = GalleryStore::Access;

class Shards : public ShardsTest {};

TEST_F(Shards, HoldWhatTheFileHolds) {
  split(5);
  EXPECT_EQ(content(files()), content({path_}));
  const ShardFolder folder(shards_, Use::kAsk);
  EXPECT_EQ(folder.manifest().people(), kShardPeople - 1);
  EXPECT_EQ(folder.manifest().next_person, kShardPeople + 1);
  EXPECT_EQ(folder.manifest().models.front().key, "small");
  for (Index i = 0; i < 5; ++i) {
    const GalleryStore shard = folder.open(i, Access::kRead);
    EXPECT_EQ(shard.model("small"), "the model");
    EXPECT_EQ(shard.setting("high resolution"), "12x10");
    EXPECT_FALSE(shard.index_data("small"));  // a calibration is of everybody
    for (const Person& person : shard.people()) EXPECT_EQ(shard_of(person.name, 5), i);
  }
  EXPECT_EQ(GalleryStore(folder.shared_file(), Access::kRead).index_data("small"),
            "the calibration");
  const ShardOrder order = check_shard_order(folder);
  EXPECT_EQ(order.counts.people, kShardPeople - 1);
  EXPECT_EQ(order.away, 0);
}

TEST_F(Shards, MergeToTheSameFile) {
  split(3);
  merge_shards(ShardFolder(shards_, Use::kAsk), folder_ / "one.gallery");
  EXPECT_EQ(content({folder_ / "one.gallery"}), content({path_}));
  const GalleryStore merged(folder_ / "one.gallery", Access::kRead);
  merged.check_integrity();
  EXPECT_EQ(merged.index_data("small"), "the calibration");
  EXPECT_NO_THROW(require_no_shard(merged));
  EXPECT_THAT(message_of([&] { merge_shards(ShardFolder(shards_, Use::kAsk), path_); }),
              HasSubstr("already"));
}

TEST_F(Shards, OneMoreTakesItsShare) {
  split(3);
  ShardFolder folder(shards_, Use::kChange);
  add_shard(folder);
  const Index away = check_shard_order(folder).away;
  EXPECT_GT(away, 0);
  EXPECT_EQ(rebalance_shards(folder), away);
  EXPECT_EQ(check_shard_order(folder).away, 0);
  EXPECT_EQ(rebalance_shards(folder), 0);
  EXPECT_EQ(folder.manifest().shards[3].people, away);
  EXPECT_EQ(content(files()), content({path_}));
}

TEST_F(Shards, KilledWhileTheyMoveNobodyIsLostOrThereTwice) {
  split(3);
  const auto expected = content({path_});
  {
    ShardFolder folder(shards_, Use::kChange);
    add_shard(folder);
  }
  bool finished = false;
  int kills = 0;
  for (int steps = 0; !finished; ++steps) {
    Child child([&](int pipe) {
      ShardFolder folder(shards_, Use::kChange);
      EndAfter end(steps);
      rebalance_shards(folder, end);
      Child::send(pipe, "finished");
    });
    finished = child.received() == "finished";
    if (!finished) ++kills;
    // Whoever comes next, to ask or to change, finds everybody once.
    const ShardFolder folder(shards_, steps % 2 == 0 ? Use::kAsk : Use::kChange);
    EXPECT_EQ(check_shard_order(folder).counts.people, kShardPeople - 1);
    EXPECT_EQ(content(files()), expected) << "killed at step " << steps;
  }
  EXPECT_GE(kills, 3);
  EXPECT_EQ(check_shard_order(ShardFolder(shards_, Use::kAsk)).away, 0);
}

TEST_F(Shards, KilledWhileOneIsAddedTheyGoOn) {
  split(2);
  // What is left of a call that was killed before the manifest knew of it.
  {
    GalleryStore left(shards_ / shard_file_name(2), Access::kCreate);
    left.add_person("Nobody");
  }
  ShardFolder folder(shards_, Use::kChange);
  add_shard(folder);
  rebalance_shards(folder);
  EXPECT_EQ(content(files()), content({path_}));
}

TEST_F(Shards, AreRefusedWhereOneIsMissingOrAnother) {
  split(3);
  EXPECT_THAT(message_of([&] { ShardFolder(folder_, Use::kAsk); }), HasSubstr("not a folder of"));
  std::filesystem::rename(shards_ / shard_file_name(1), folder_ / "away");
  EXPECT_THAT(message_of([&] { ShardFolder(shards_, Use::kAsk); }),
              testing::AllOf(HasSubstr("shard-0001.gallery"), HasSubstr("missing")));
  std::filesystem::copy_file(shards_ / shard_file_name(2), shards_ / shard_file_name(1));
  const ShardFolder folder(shards_, Use::kAsk);
  EXPECT_THAT(message_of([&] { folder.open(1, Access::kRead); }), HasSubstr("not the shard 1"));
}

TEST_F(Shards, CheckNamesWhoIsThereTwiceAndOtherModels) {
  split(3);
  const auto refusal = [&] {
    return message_of([&] { check_shard_order(ShardFolder(shards_, Use::kAsk)); });
  };
  GalleryStore first(shards_ / shard_file_name(0), Access::kWrite);
  const Person person = GalleryStore(shards_ / shard_file_name(1), Access::kRead).people()[0];
  first.restore_person(person);
  EXPECT_THAT(refusal(), HasSubstr(person.name));
  first.remove_person(person.name);
  EXPECT_EQ(refusal(), "");
  first.add_person("changed alone");
  EXPECT_THAT(refusal(), HasSubstr("changed alone"));
  first.remove_person("changed alone");
  first.put_model("small", "another model");
  EXPECT_THAT(refusal(), HasSubstr("shard-0000.gallery has other settings or models"));
}

TEST_F(Shards, AreNotMadeOfWhatCannotBe) {
  const auto refusal = [&](Index shards) { return message_of([&] { split(shards); }); };
  EXPECT_THAT(refusal(0), HasSubstr("not 0"));
  EXPECT_THAT(refusal(65537), HasSubstr("not 65537"));
  split(2);
  EXPECT_THAT(refusal(2), HasSubstr("already"));
  const GalleryStore shard(shards_ / shard_file_name(0), Access::kRead);
  EXPECT_THAT(message_of([&] { split_gallery(shard, folder_ / "more", 2); }),
              HasSubstr("part of a folder of shards"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "more"));
}

TEST_F(Shards, AreChangedByOneAtATime) {
  split(2);
  const ShardFolder asking(shards_, Use::kAsk);
  const ShardFolder other(shards_, Use::kAsk);
  EXPECT_THAT(message_of([&] { ShardFolder(shards_, Use::kChange, {.wait_ms = 20}); }),
              HasSubstr("locked"));
}

}  // namespace
}  // namespace longshot
