// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include <gmock/gmock.h>

#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;

const auto kTellNobody = [](std::int64_t, std::int64_t) {};

class GalleryUpkeep : public ScratchTest {
 protected:
  GalleryStore with_people(int count) const {
    GalleryStore gallery(path_, GalleryStore::Access::kCreate);
    GalleryTransaction transaction(gallery);
    for (int i = 0; i < count; ++i) {
      const PersonId id = gallery.add_person(fmt::format("person {}", i));
      gallery.add_photo(id, noise_photo(static_cast<std::uint64_t>(i)));
      gallery.put_template("small", id, std::vector<float>(10, 1.0F));
      gallery.put_template("large", id, std::vector<float>(20000, 2.0F));
    }
    gallery.set_index_data("small", "12345");
    transaction.commit();
    return gallery;
  }
};

TEST_F(GalleryUpkeep, TellsWhatIndexesTake) {
  const std::vector<IndexSize> sizes = with_people(3).index_sizes();
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_EQ(sizes[0].key, "small");
  EXPECT_EQ(sizes[0].bytes, 3 * 10 * 4 + 5);
  EXPECT_EQ(sizes[1].bytes, 3 * 20000 * 4);
}

TEST_F(GalleryUpkeep, GivesBackWhatNothingUses) {
  GalleryStore gallery = with_people(10);
  const std::int64_t before = gallery.file_bytes();
  gallery.erase_index("large");
  gallery.give_back_unused();
  EXPECT_LT(gallery.file_bytes(), before / 2);
  EXPECT_EQ(static_cast<std::int64_t>(fs::file_size(path_)), gallery.file_bytes());
  gallery.check_integrity();
  EXPECT_EQ(gallery.person_count(), 10);
  EXPECT_EQ(gallery.find_template("small", 3)->size(), 10U);
  // Ids are never given twice, also after this.
  gallery.remove_person("person 9");
  gallery.give_back_unused();
  EXPECT_EQ(gallery.add_person("other"), 11);
}

TEST_F(GalleryUpkeep, BacksUpWhileAnotherProcessWrites) {
  GalleryStore gallery = with_people(40);
  gallery.add_person("before");
  bool written = false;
  gallery.back_up(folder_ / "copy", [&](std::int64_t, std::int64_t) {
    if (written) return;
    written = true;
    GalleryStore other(path_, GalleryStore::Access::kWrite);
    other.add_person("meanwhile");
  });
  ASSERT_TRUE(written);
  const GalleryStore copy(folder_ / "copy", GalleryStore::Access::kWrite);
  copy.check_integrity();
  EXPECT_TRUE(copy.find_person("before"));
  EXPECT_FALSE(copy.find_person("meanwhile"));
  EXPECT_TRUE(gallery.find_person("meanwhile"));
  EXPECT_EQ(copy.photos(2).at(0).pixels, gallery.photos(2).at(0).pixels);
  EXPECT_EQ(fs::status(folder_ / "copy").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(GalleryUpkeep, ABackupThatFailsLeavesNothing) {
  const GalleryStore gallery = with_people(2);
  const auto stop = [](std::int64_t, std::int64_t) { throw Error("stop"); };
  EXPECT_EQ(message_of([&] { gallery.back_up(folder_ / "copy", stop); }), "stop");
  EXPECT_NE(message_of([&] { gallery.back_up(folder_ / "none" / "copy", kTellNobody); }), "");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    EXPECT_THAT(entry.path().filename().string(), testing::StartsWith("people.gallery"));
  }
}

TEST_F(GalleryUpkeep, ABackupReplacesNothing) {
  const GalleryStore gallery = with_people(2);
  EXPECT_THAT(message_of([&] { gallery.back_up(path_, kTellNobody); }), HasSubstr("already"));
  write_file(folder_ / "copy-wal", "of a gallery that is open");
  EXPECT_THAT(message_of([&] { gallery.back_up(folder_ / "copy", kTellNobody); }),
              HasSubstr("copy-wal already"));
}

TEST_F(GalleryUpkeep, MakesTwoPeopleOne) {
  GalleryStore gallery = with_people(3);
  gallery.add_photo(2, noise_photo(100));
  const std::vector<PhotosMark> before = gallery.photos_marks();
  gallery.merge_people("person 0", "person 1");
  EXPECT_EQ(gallery.person_count(), 2);
  EXPECT_EQ(gallery.photo_count(), 4);
  const std::vector<Photo> photos = gallery.photos(2);
  ASSERT_EQ(photos.size(), 3U);
  EXPECT_EQ(photos[2].pixels, noise_photo(0).pixels);
  EXPECT_EQ(photos[2].content_hash, noise_photo(0).content_hash);
  EXPECT_GT(photos[2].id, before[1].last);
  EXPECT_FALSE(gallery.find_template("small", 2));
  EXPECT_EQ(gallery.template_count("small"), 1);
  gallery.check_integrity();
  EXPECT_THAT(message_of([&] { gallery.merge_people("person 0", "person 1"); }),
              HasSubstr("no person named \"person 0\""));
  EXPECT_THAT(message_of([&] { gallery.merge_people("person 1", "person 1"); }),
              HasSubstr("one person already"));
  EXPECT_EQ(gallery.photos(2).size(), 3U);
}

TEST_F(GalleryUpkeep, MergingErasesTheNameEverywhere) {
  GalleryStore gallery(path_, GalleryStore::Access::kCreate);
  Photo photo = noise_photo(1);
  photo.source = "photos/Zanzibar/1.jpg";
  gallery.add_photo(gallery.add_person("Zanzibar"), photo);
  gallery.add_photo(gallery.add_person("Ada"), noise_photo(2));
  gallery.merge_people("Zanzibar", "Ada");
  EXPECT_FALSE(gallery.erasure_pending());
  EXPECT_EQ(gallery.photos(2)[1].source, "");
  EXPECT_THAT(read_file(path_), testing::Not(HasSubstr("Zanzibar")));
}

// Killed while it compacts or merges, the gallery holds the old state or the new one.
TEST_F(GalleryUpkeep, KilledAtAnyMomentItIsWhole) {
  with_people(12);
  for (int round = 0; round < 8; ++round) {
    Child child([&](int pipe) {
      GalleryStore gallery(path_, GalleryStore::Access::kWrite);
      Child::send(pipe, "x");
      for (int i = 0;; ++i) {
        gallery.add_photo(gallery.add_person("twin"), noise_photo(1000 + i + 100 * round));
        gallery.merge_people("twin", "person 0");
        gallery.give_back_unused();
      }
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(5 * round));
    child.kill();
    GalleryStore gallery(path_, GalleryStore::Access::kWrite);
    gallery.check_integrity();
    EXPECT_EQ(gallery.person_count(), gallery.find_person("twin") ? 13 : 12);
    gallery.remove_person("twin");
  }
}

}  // namespace
}  // namespace longshot
