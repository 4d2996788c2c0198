// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/gallery_store.h"

#include <cmath>

#include <gmock/gmock.h>

#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using Access = GalleryStore::Access;

class GalleryTest : public ScratchTest {
 protected:
  static std::vector<std::string> names(const GalleryStore& gallery, IdRange range = {},
                                        Index limit = kNoLimit) {
    std::vector<std::string> names;
    for (const Person& person : gallery.people(range, limit)) names.push_back(person.name);
    return names;
  }
};

TEST_F(GalleryTest, PeopleOutliveTheObject) {
  PersonId anna = 0;
  {
    GalleryStore gallery(path_, Access::kCreate);
    EXPECT_EQ(gallery.person_count(), 0);
    EXPECT_EQ(gallery.last_person_id(), 0);
    anna = gallery.add_person("Anna");
    gallery.add_person("Bj\xC3\xB6rn");
    gallery.add_photo(anna, noise_photo(1));
  }
  const GalleryStore gallery(path_, Access::kRead);
  EXPECT_EQ(gallery.person_count(), 2);
  EXPECT_EQ(gallery.photo_count(), 1);
  EXPECT_THAT(names(gallery), ElementsAre("Anna", "Bj\xC3\xB6rn"));
  const std::optional<Person> found = gallery.find_person("Anna");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, anna);
  EXPECT_EQ(found->photos, 1);
  EXPECT_THAT(found->enrolled_at, MatchesRegex("20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-9:]{8}Z"));
  EXPECT_EQ(gallery.person(anna)->name, "Anna");
  EXPECT_FALSE(gallery.find_person("anna"));
  EXPECT_FALSE(gallery.person(99));
  gallery.check_integrity();
}

TEST_F(GalleryTest, TheFileIsItsOwnersAlone) {
  const GalleryStore gallery(path_, Access::kCreate);
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(path_).permissions(), perms::owner_read | perms::owner_write);
}

TEST_F(GalleryTest, PeopleComeInBlocksInOrderOfId) {
  GalleryStore gallery(path_, Access::kCreate);
  for (const char* name : {"d", "c", "b", "a"}) gallery.add_person(name);
  EXPECT_THAT(names(gallery, {}, 3), ElementsAre("d", "c", "b"));
  EXPECT_THAT(names(gallery, {2, 3}), ElementsAre("c", "b"));
  EXPECT_THAT(names(gallery, {5, 9}), ElementsAre());
}

TEST_F(GalleryTest, AnIdIsNeverGivenTwice) {
  GalleryStore gallery(path_, Access::kCreate);
  gallery.add_person("first");
  const PersonId last = gallery.add_person("last");
  EXPECT_TRUE(gallery.remove_person("last"));
  EXPECT_GT(gallery.add_person("last"), last);
}

TEST_F(GalleryTest, NamesAreUniqueAndReadable) {
  GalleryStore gallery(path_, Access::kCreate);
  gallery.add_person("Anna");
  const auto refusal = [&](std::string_view name) {
    return message_of([&] { gallery.add_person(name); });
  };
  EXPECT_THAT(refusal("Anna"), HasSubstr("already a person named \"Anna\""));
  EXPECT_THAT(refusal(""), HasSubstr("not empty"));
  EXPECT_THAT(refusal(std::string(256, 'x')), HasSubstr("255 bytes"));
  EXPECT_THAT(refusal("a\nb"), HasSubstr("control characters"));
  EXPECT_THAT(refusal("a\xC2\x9B"
                      "2Jb"),
              HasSubstr("control characters"));
  EXPECT_THAT(refusal(std::string("a\0b", 3)), HasSubstr("control characters"));
  EXPECT_THAT(refusal(" a"), HasSubstr("space"));
  // Latin-1, an overlong form, a surrogate, beyond U+10FFFF, cut short.
  for (const char* name :
       {"Bj\xF6rn", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "a\xE2\x82"}) {
    EXPECT_THAT(refusal(name), HasSubstr("UTF-8"));
  }
  for (const char* name : {"\xE5\xB1\xB1", "\xF0\x9F\x98\x80", "O'Hara; DROP TABLE people"}) {
    EXPECT_EQ(refusal(name), "") << name;
  }
  EXPECT_EQ(gallery.person_count(), 4);
}

TEST_F(GalleryTest, RenamesUnlessTheNameIsTaken) {
  GalleryStore gallery(path_, Access::kCreate);
  const PersonId anna = gallery.add_person("Anna");
  gallery.add_person("Bert");
  gallery.rename_person("Anna", "Hanna");
  EXPECT_EQ(gallery.find_person("Hanna")->id, anna);
  EXPECT_FALSE(gallery.find_person("Anna"));
  EXPECT_NO_THROW(gallery.rename_person("Bert", "Bert"));
  EXPECT_THAT(message_of([&] { gallery.rename_person("Hanna", "Bert"); }), HasSubstr("already"));
  EXPECT_THAT(message_of([&] { gallery.rename_person("Carl", "Dora"); }),
              HasSubstr("no person named \"Carl\""));
  EXPECT_THAT(message_of([&] { gallery.rename_person("Bert", "x\ny"); }), HasSubstr("control"));
  EXPECT_THAT(names(gallery), ElementsAre("Hanna", "Bert"));
}

TEST_F(GalleryTest, APhotoComesBackAsItWas) {
  GalleryStore gallery(path_, Access::kCreate);
  const PersonId anna = gallery.add_person("Anna");
  Photo photo = noise_photo(3);
  photo.eyes = {10.25, 20.5, 30.125, 21.0};
  photo.quality = {{"sharpness", 0.1}, {"dark", 1e-9}};
  const PhotoId first = gallery.add_photo(anna, photo);
  const PhotoId second = gallery.add_photo(anna, noise_photo(4));
  const std::vector<Photo> photos = gallery.photos(anna);
  ASSERT_EQ(photos.size(), 2U);
  EXPECT_EQ(photos[0].id, first);
  EXPECT_EQ(photos[0].person, anna);
  EXPECT_EQ(photos[0].rows, 12);
  EXPECT_EQ(photos[0].cols, 10);
  EXPECT_EQ(photos[0].pixels, photo.pixels);
  EXPECT_EQ(photos[0].eyes, photo.eyes);
  EXPECT_EQ(photos[0].source, photo.source);
  EXPECT_EQ(photos[0].content_hash, photo.content_hash);
  EXPECT_EQ(photos[0].quality, photo.quality);
  EXPECT_FALSE(photos[1].eyes);
  EXPECT_TRUE(gallery.remove_photo(first));
  EXPECT_FALSE(gallery.remove_photo(first));
  EXPECT_EQ(gallery.photos(anna).at(0).id, second);
  EXPECT_EQ(gallery.photo_count(), 1);
  EXPECT_THAT(message_of([&] { gallery.add_photo(77, photo); }), HasSubstr("id 77"));
}

TEST_F(GalleryTest, UnusablePhotosAreRefused) {
  const auto refusal = [](const std::function<void(Photo&)>& spoil) {
    Photo photo = noise_photo(1);
    spoil(photo);
    return message_of([&] { photo.check(); });
  };
  EXPECT_EQ(refusal([](Photo&) {}), "");
  EXPECT_THAT(refusal([](Photo& photo) { photo.rows = 0; }), HasSubstr("0x10"));
  EXPECT_THAT(refusal([](Photo& photo) { photo.rows = 20000; }), HasSubstr("20000x10"));
  EXPECT_THAT(refusal([](Photo& photo) { photo.pixels.pop_back(); }), HasSubstr("119 values"));
  EXPECT_THAT(refusal([](Photo& photo) { photo.eyes = {0, 0, NAN, 0}; }), HasSubstr("eyes"));
  EXPECT_THAT(refusal([](Photo& photo) { photo.quality["blur"] = INFINITY; }), HasSubstr("blur"));
}

TEST_F(GalleryTest, FindsWhoHasAPhotoAlready) {
  GalleryStore gallery(path_, Access::kCreate);
  const PersonId anna = gallery.add_person("Anna");
  const PersonId bert = gallery.add_person("Bert");
  gallery.add_photo(bert, noise_photo(5));
  gallery.add_photo(anna, noise_photo(5));
  Photo nameless = noise_photo(6);
  nameless.content_hash.clear();
  gallery.add_photo(anna, nameless);
  EXPECT_EQ(gallery.find_photo_owner(noise_photo(5).content_hash)->name, "Bert");
  EXPECT_FALSE(gallery.find_photo_owner(noise_photo(6).content_hash));
  EXPECT_FALSE(gallery.find_photo_owner(""));
  gallery.remove_person("Bert");
  EXPECT_EQ(gallery.find_photo_owner(noise_photo(5).content_hash)->name, "Anna");
}

TEST_F(GalleryTest, FirstPhotosAreOnePerPerson) {
  GalleryStore gallery(path_, Access::kCreate);
  for (int i = 0; i < 4; ++i) gallery.add_person(std::string(1, static_cast<char>('a' + i)));
  for (const PersonId person : {3, 1, 3, 1, 4}) {
    gallery.add_photo(person, noise_photo(static_cast<std::uint64_t>(person)));
  }
  const auto firsts = [&](IdRange range, Index limit) {
    std::vector<std::pair<PersonId, PhotoId>> pairs;
    for (const Photo& photo : gallery.first_photos(range, limit)) {
      pairs.emplace_back(photo.person, photo.id);
    }
    return pairs;
  };
  using testing::Pair;
  EXPECT_THAT(firsts({}, kNoLimit), ElementsAre(Pair(1, 2), Pair(3, 1), Pair(4, 5)));
  EXPECT_THAT(firsts({2, 3}, kNoLimit), ElementsAre(Pair(3, 1)));
  EXPECT_THAT(firsts({2}, 1), ElementsAre(Pair(3, 1)));
}

TEST_F(GalleryTest, ATransactionIsAllOrNothing) {
  GalleryStore gallery(path_, Access::kCreate);
  {
    const GalleryTransaction transaction(gallery);
    gallery.add_photo(gallery.add_person("Anna"), noise_photo(1));
  }
  EXPECT_EQ(gallery.person_count(), 0);
  EXPECT_EQ(gallery.photo_count(), 0);
  GalleryTransaction batch(gallery);
  for (const char* name : {"Bert", "Carl", "Bert"}) {
    message_of([&] {
      GalleryTransaction part(gallery);
      gallery.set_setting("last tried", name);
      gallery.add_person(name);
      part.commit();
    });
  }
  batch.commit();
  EXPECT_THAT(names(gallery), ElementsAre("Bert", "Carl"));
  EXPECT_EQ(gallery.setting("last tried"), "Carl");
  gallery.check_integrity();
}

TEST_F(GalleryTest, TheRevisionTellsOthersOfAChange) {
  GalleryStore writer(path_, Access::kCreate);
  const GalleryStore reader(path_, Access::kRead);
  const std::int64_t before = reader.revision();
  EXPECT_EQ(reader.revision(), before);
  writer.add_person("Anna");
  const std::int64_t after = reader.revision();
  EXPECT_GT(after, before);
  EXPECT_FALSE(writer.remove_person("Nobody"));
  EXPECT_EQ(reader.revision(), after);
}

TEST_F(GalleryTest, ASnapshotSeesOneState) {
  GalleryStore writer(path_, Access::kCreate);
  writer.add_person("Anna");
  const GalleryStore reader(path_, Access::kRead);
  {
    const GallerySnapshot snapshot(reader);
    writer.add_person("Bert");
    EXPECT_EQ(reader.person_count(), 1);
    EXPECT_THAT(names(reader), ElementsAre("Anna"));
  }
  EXPECT_EQ(reader.person_count(), 2);
}

TEST_F(GalleryTest, SettingsAndModelsAreReplaced) {
  GalleryStore gallery(path_, Access::kCreate);
  EXPECT_FALSE(gallery.setting("high"));
  gallery.set_setting("high", "48x40");
  gallery.set_setting("high", "96x80");
  gallery.set_setting("note", "");
  EXPECT_EQ(gallery.setting("high"), "96x80");
  EXPECT_EQ(gallery.setting("note"), "");
  const std::string bytes("\0\xff model", 8);
  gallery.put_model("longshot 7x6", "old");
  gallery.put_model("longshot 7x6", bytes);
  gallery.put_model("kernel 7x6", "");
  EXPECT_EQ(gallery.model("longshot 7x6"), bytes);
  EXPECT_EQ(gallery.model("kernel 7x6"), "");
  EXPECT_FALSE(gallery.model("slrfr 7x6"));
  EXPECT_THAT(gallery.model_keys(), ElementsAre("kernel 7x6", "longshot 7x6"));
  EXPECT_TRUE(gallery.erase_model("kernel 7x6"));
  EXPECT_FALSE(gallery.erase_model("kernel 7x6"));
  EXPECT_THAT(gallery.model_keys(), ElementsAre("longshot 7x6"));
}

TEST_F(GalleryTest, OptionsAreChecked) {
  EXPECT_THAT(message_of([&] { GalleryStore(path_, Access::kCreate, {.wait_ms = -1}); }),
              HasSubstr("wait_ms"));
  EXPECT_THAT(message_of([&] { GalleryStore(path_, Access::kCreate, {.cache_mb = 0}); }),
              HasSubstr("cache_mb"));
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace longshot
