// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/shard_sealing.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "longshot/gallery/shard_scratch_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using Use = ShardFolder::Use;

GalleryKey::Shared shard_key(unsigned char first) {
  const std::vector<unsigned char> bytes(32, first);
  return std::make_shared<const GalleryKey>(KeyDerivation::Kind::kFile, bytes);
}

class ShardSealing : public ShardsTest {
 protected:
  void SetUp() override {
    ShardsTest::SetUp();
    split(4);
    people_ = content(files());
  }

  void encrypt() const { reseal_shards(shards_, nullptr, key_, false); }
  std::string refusal(const GalleryKey::Shared& from, const GalleryKey::Shared& to) const {
    return message_of([&] { reseal_shards(shards_, from, to, false); });
  }
  std::string opening(const GalleryKey::Shared& key) const {
    return message_of([&] {
      const ShardFolder folder(shards_, Use::kAsk, {.key = key});
      check_shard_order(folder);
    });
  }
  // Whether the bytes stand in any file of the folder.
  bool stands_in_clear(const std::string& bytes) const {
    const fs::recursive_directory_iterator all(shards_);
    return std::any_of(begin(all), end(all), [&](const fs::directory_entry& entry) {
      return entry.is_regular_file() && read_file(entry.path()).find(bytes) != std::string::npos;
    });
  }
  // A call of reseal_shards() that is killed when it has written so many files.
  void kill_after(int files, const GalleryKey::Shared& from, const GalleryKey::Shared& to) const {
    const pid_t child = ::fork();
    if (child == 0) {
      EndAfter end(files - 1);
      reseal_shards(shards_, from, to, false, end);
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_EQ(WEXITSTATUS(status), 9) << "it was done before the kill";
  }

  GalleryKey::Shared key_ = shard_key(1);
  GalleryKey::Shared other_ = shard_key(2);
  std::map<PersonId, std::string> people_;
};

TEST_F(ShardSealing, HidesEverybodyAndBringsThemBack) {
  ASSERT_TRUE(stands_in_clear("person_00"));
  encrypt();
  EXPECT_FALSE(stands_in_clear("person_00"));
  EXPECT_EQ(content(files(), key_), people_);
  EXPECT_THAT(opening(key_), IsEmpty());
  EXPECT_THAT(opening(nullptr), HasSubstr("shared.gallery is encrypted: its key is needed"));
  EXPECT_THAT(opening(other_), HasSubstr("shared.gallery"));
  reseal_shards(shards_, key_, other_, false);
  EXPECT_THAT(opening(other_), IsEmpty());
  EXPECT_THAT(opening(key_), HasSubstr("shared.gallery"));
  reseal_shards(shards_, other_, key_, true);
  EXPECT_EQ(content(files(), key_), people_);
  reseal_shards(shards_, key_, nullptr, false);
  EXPECT_EQ(content(files()), people_);
  EXPECT_THAT(opening(nullptr), IsEmpty());
}

TEST_F(ShardSealing, ShardsOfAnEncryptedGalleryHaveItsKey) {
  encrypt();
  const ShardFolderOptions options = {.key = key_};
  merge_shards(ShardFolder(shards_, Use::kAsk, options), folder_ / "one.gallery");
  EXPECT_EQ(content({folder_ / "one.gallery"}, key_), people_);
  fs::remove_all(shards_);
  const GalleryStore one(folder_ / "one.gallery", GalleryStore::Access::kRead, {.key = key_});
  split_gallery(one, shards_, 3);
  EXPECT_FALSE(stands_in_clear("person_00"));
  {
    ShardFolder folder(shards_, Use::kChange, options);
    add_shard(folder);
    EXPECT_GT(rebalance_shards(folder), 0);
    back_up_shards(folder, folder_ / "copy.shards");
  }
  EXPECT_FALSE(stands_in_clear("person_00"));
  EXPECT_EQ(content(files(), key_), people_);
  EXPECT_THAT(opening(key_), IsEmpty());
  shards_ = folder_ / "copy.shards";
  EXPECT_EQ(content(files(), key_), people_);
  EXPECT_THAT(opening(nullptr), HasSubstr("its key is needed"));
}

TEST_F(ShardSealing, KilledAtAnyFileItIsRefusedAndGoesOn) {
  // Shared and four shards, of which all but the last may be done.
  for (int files = 1; files <= 5; ++files) {
    kill_after(files, nullptr, key_);
    for (const GalleryKey::Shared& key : {GalleryKey::Shared(), key_}) {
      EXPECT_THAT(opening(key), HasSubstr("is encrypted in part: encrypt it once more"));
    }
    if (files < 5) EXPECT_THAT(refusal(nullptr, other_), HasSubstr("shared.gallery"));
    encrypt();
    ASSERT_EQ(this->content(this->files(), key_), people_);
    EXPECT_THAT(opening(key_), IsEmpty());

    kill_after(files, key_, other_);
    EXPECT_THAT(opening(key_), HasSubstr("has another key in part: change the key once more"));
    reseal_shards(shards_, key_, other_, false);
    ASSERT_EQ(this->content(this->files(), other_), people_);

    kill_after(files, other_, nullptr);
    EXPECT_THAT(opening(other_), HasSubstr("is decrypted in part: decrypt it once more"));
    reseal_shards(shards_, other_, nullptr, false);
    ASSERT_EQ(this->content(this->files()), people_);
    EXPECT_THAT(opening(nullptr), IsEmpty());
  }
}

TEST_F(ShardSealing, WhatWasBegunCanBeTakenBack) {
  kill_after(3, nullptr, key_);
  reseal_shards(shards_, key_, nullptr, false);
  EXPECT_EQ(content(files()), people_);
  encrypt();
  kill_after(3, key_, nullptr);
  fs::copy_file(path_, shards_ / "shard-0000.gallery.new");  // as the kill may have left it
  encrypt();
  EXPECT_EQ(content(files(), key_), people_);
  EXPECT_FALSE(stands_in_clear("person_00"));
  kill_after(3, key_, other_);
  EXPECT_THAT(message_of([&] { reseal_shards(shards_, key_, other_, true); }),
              HasSubstr("end that first"));
  reseal_shards(shards_, other_, key_, false);
  EXPECT_EQ(content(files(), key_), people_);
}

TEST_F(ShardSealing, NothingChangesWithAWrongKey) {
  EXPECT_THAT(refusal(key_, nullptr), HasSubstr("has that key already"));
  encrypt();
  EXPECT_THAT(refusal(nullptr, key_), HasSubstr("has that key already"));
  EXPECT_THAT(refusal(nullptr, other_), HasSubstr("is encrypted: its key is needed"));
  EXPECT_THAT(refusal(other_, nullptr), HasSubstr("shared.gallery"));
  EXPECT_THAT(opening(key_), IsEmpty());
  EXPECT_EQ(content(files(), key_), people_);
}

TEST_F(ShardSealing, AnEnrolmentUnderWayNamesNobody) {
  {
    ShardFolder plain(shards_, Use::kChange);
    EXPECT_EQ(plain.reserved_as("Ada"), "Ada");
    plain.update([](ShardManifest& manifest) { manifest.reserved["Ada"] = 99; });
  }
  EXPECT_THAT(refusal(nullptr, key_), HasSubstr("was not finished: make it again"));
  ShardFolder(shards_, Use::kChange).update([](ShardManifest& manifest) {
    manifest.reserved.clear();
  });
  encrypt();
  std::string hidden;
  {
    ShardFolder folder(shards_, Use::kChange, {.key = key_});
    hidden = folder.reserved_as("Ada");
    EXPECT_NE(hidden, folder.reserved_as("Ben"));
    EXPECT_THAT(hidden, testing::Not(HasSubstr("Ada")));
  }
  reseal_shards(shards_, key_, other_, false);
  EXPECT_EQ(ShardFolder(shards_, Use::kChange, {.key = other_}).reserved_as("Ada"), hidden);
}

}  // namespace
}  // namespace longshot
