// SPDX-License-Identifier: Apache-2.0
#pragma once

// For the tests of folders of shards: people to be cut into shards, and kills.

#include <map>
#include <string>
#include <vector>

#include <unistd.h>

#include "longshot/gallery/scratch_test.h"
#include "longshot/gallery/shard_folder.h"

namespace longshot {

inline constexpr int kShardPeople = 40;

inline std::string person_name(int i) {
  return fmt::format("person_{:03}", i);
}

// Ends the process, as a kill would, when it is told something for the n-th time.
class EndAfter final : public Progress {
 public:
  explicit EndAfter(int steps) : left_(steps) {}
  void begin(std::string_view, Index) override {}
  void advance(Index) override {
    if (left_-- == 0) ::_exit(9);
  }
  void end() override {}

 private:
  int left_;
};

class ShardsTest : public ScratchTest {
 protected:
  void SetUp() override {
    ScratchTest::SetUp();
    shards_ = folder_ / "people.shards";
    GalleryStore gallery(path_, GalleryStore::Access::kCreate);
    GalleryTransaction transaction(gallery);
    gallery.set_setting("high resolution", "12x10");
    gallery.put_model("small", "the model");
    gallery.set_index_data("small", "the calibration");
    for (int i = 0; i < kShardPeople; ++i) {
      const PersonId id = gallery.add_person(person_name(i));
      for (int photo = 0; photo <= i % 2; ++photo) {
        gallery.add_photo(id, noise_photo(static_cast<std::uint64_t>(100 * photo + i)));
      }
      gallery.put_template("small", id, std::vector<float>{static_cast<float>(i), 0.5F});
    }
    gallery.remove_person(person_name(7));  // ids have a gap
    transaction.commit();
  }

  void split(Index shards) const {
    split_gallery(GalleryStore(path_, GalleryStore::Access::kRead), shards_, shards);
  }

  // Everything about everybody, by id; fails for somebody who is there twice.
  static std::map<PersonId, std::string> content(const std::vector<std::filesystem::path>& files,
                                                 const GalleryKey::Shared& key = nullptr) {
    std::map<PersonId, std::string> content;
    for (const auto& file : files) {
      const GalleryStore store(file, GalleryStore::Access::kRead, {.key = key});
      for (const Person& person : store.people()) {
        std::string text = person.name + " " + person.enrolled_at;
        for (const Photo& photo : store.photos(person.id)) {
          text += fmt::format(" {} {} {}", photo.source, photo.added_at, photo.content_hash);
        }
        text += fmt::format(" {}", store.find_template("small", person.id).value()[0]);
        EXPECT_TRUE(content.try_emplace(person.id, text).second) << person.name;
      }
    }
    return content;
  }
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> files;
    const ShardManifest manifest = read_shard_manifest(shards_);
    for (const ShardFile& shard : manifest.shards) files.push_back(shards_ / shard.file);
    return files;
  }

  std::filesystem::path shards_;
};

}  // namespace longshot
