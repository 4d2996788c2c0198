// SPDX-License-Identifier: Apache-2.0
// Galleries that were changed by hand: each is called damaged, none is answered from.
#include <cmath>

#include <gmock/gmock.h>

#include "longshot/gallery/database.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery/schema_text.h"
#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

class GalleryDamage : public ScratchTest, public testing::WithParamInterface<const char*> {
 protected:
  void make() const {
    GalleryStore gallery(path_, GalleryStore::Access::kCreate);
    for (int i = 0; i < 3; ++i) {
      const PersonId id = gallery.add_person(fmt::format("person {}", i));
      Photo photo = noise_photo(static_cast<std::uint64_t>(i));
      photo.eyes = {1.0, 2.0, 3.0, 4.0};
      gallery.add_photo(id, photo);
      gallery.put_template("small", id, std::vector<float>(10, 1.0F));
    }
  }
  void damage(const std::string& sql) const {
    const Database database(path_, Database::Access::kWrite, 0, 1);
    database.execute("PRAGMA ignore_check_constraints=ON; PRAGMA foreign_keys=OFF;" + sql);
  }
  // What the commands read.
  void use() const {
    GalleryStore gallery(path_, GalleryStore::Access::kWrite);
    for (const Person& person : gallery.people()) gallery.photos(person.id);
    gallery.find_person("person 0");
    gallery.first_photos();
    gallery.people_without_template("small");
    gallery.read_templates("small", {}, kNoLimit);
    gallery.find_template("small", 1);
    gallery.add_person("somebody new");
  }
};

TEST_F(GalleryDamage, AsItWasMadeItIsWhole) {
  make();
  EXPECT_EQ(message_of([&] { use(); }), "");
}

TEST_P(GalleryDamage, IsCalledDamage) {
  make();
  damage(GetParam());
  EXPECT_THAT(message_of([&] { use(); }), testing::HasSubstr("is damaged; restore it"));
}

constexpr const char* kDamages[] = {
    // faces that are not as large as they claim
    "UPDATE photos SET face = x''",
    "UPDATE photos SET face = x'00010203040506070809'",
    "UPDATE photos SET face = zeroblob(119) WHERE id = 1",
    "UPDATE photos SET face = zeroblob(121) WHERE id = 3",
    "UPDATE photos SET rows = -48",
    "UPDATE photos SET cols = -10",
    "UPDATE photos SET rows = -12, cols = -10",
    "UPDATE photos SET rows = 0, cols = 0, face = x''",
    "UPDATE photos SET rows = 0",
    "UPDATE photos SET cols = 0",
    "UPDATE photos SET rows = 120, cols = 2",
    "UPDATE photos SET rows = 10001",
    "UPDATE photos SET rows = 10001, cols = 1, face = zeroblob(10001)",
    "UPDATE photos SET rows = 9223372036854775807",
    "UPDATE photos SET cols = -9223372036854775808",
    "UPDATE photos SET rows = 4294967308",
    "UPDATE photos SET rows = 9223372036854775807, cols = 9223372036854775807, face = x'00'",
    // figures that are none
    "UPDATE photos SET left_eye_x = 9e999",
    "UPDATE photos SET left_eye_y = -9e999",
    "UPDATE photos SET right_eye_x = 9e999 WHERE id = 2",
    "UPDATE photos SET right_eye_y = 9e999 WHERE id = 3",
    "UPDATE photos SET quality = ''",
    "UPDATE photos SET quality = 'sharp'",
    "UPDATE photos SET quality = '[1]'",
    "UPDATE photos SET quality = '{\"sharpness\": \"high\"}'",
    "UPDATE photos SET quality = '{\"sharpness\": null}'",
    "UPDATE photos SET quality = '{\"sharpness\": 1'",
    // people who cannot be
    "UPDATE people SET name = '' WHERE id = 1",
    "UPDATE people SET id = 9223372036854775807 WHERE id = 3",
    "UPDATE people SET id = 1099511627776 WHERE id = 3",
    "UPDATE sqlite_sequence SET seq = 1099511627775 WHERE name = 'people'",
    "UPDATE sqlite_sequence SET seq = 9223372036854775806 WHERE name = 'people'",
    // templates
    "UPDATE templates SET bytes = x'00'",
    "UPDATE templates SET bytes = x'0000803f00' WHERE (id & 255) = 1",
    "UPDATE templates SET bytes = x'0000c07f'",
    "UPDATE templates SET bytes = x'0000c0ff'",
    "UPDATE templates SET bytes = x'0000803f0100807f' WHERE (id & 255) = 3",
    "UPDATE templates SET bytes = x'0000803fffffffff' WHERE (id & 255) = 2",
    // bytes that are not those that were written
    "UPDATE templates SET bytes = zeroblob(length(bytes))",
    "UPDATE templates SET bytes = zeroblob(40) WHERE (id & 255) = 2",
    "UPDATE templates SET bytes = x'0000803f' WHERE (id & 255) = 1",
    "UPDATE templates SET bytes = x'' WHERE (id & 255) = 1",
    "UPDATE templates SET bytes = CAST(substr(bytes, 1, 36) || x'0000903f' AS BLOB) WHERE (id & "
    "255) = 1",
    "UPDATE templates SET bytes = CAST(x'0100803f' || substr(bytes, 5) AS BLOB) WHERE (id & 255) = "
    "3",
    "UPDATE templates SET bytes = CAST(bytes || x'00000000' AS BLOB) WHERE (id & 255) = 3",
    "UPDATE templates SET bytes = CAST(x'0000807f' || substr(bytes, 5) AS BLOB)",
    "UPDATE templates SET checksum = checksum + 1 WHERE (id & 255) = 1",
    "UPDATE templates SET checksum = 0",
    "UPDATE templates SET checksum = (SELECT checksum FROM templates LIMIT 1)",
    "UPDATE templates SET id = id + 1000 WHERE (id & 255) = 3",
    "UPDATE photos SET face = zeroblob(120)",
    "UPDATE photos SET face = zeroblob(120) WHERE id = 2",
    "UPDATE photos SET face = CAST(x'00ff' || substr(face, 3) AS BLOB) WHERE id = 1",
    "UPDATE photos SET rows = 10, cols = 12",
    "UPDATE photos SET checksum = 0 WHERE id = 3",
    "UPDATE photos SET checksum = (SELECT checksum FROM photos LIMIT 1)",
    // another schema
    "DROP TRIGGER person_added",
    "DROP TRIGGER person_removed",
    "DROP TRIGGER photo_added",
    "DROP TRIGGER photo_removed",
    "DROP TRIGGER template_added",
    "DROP TRIGGER template_removed",
    "DROP TRIGGER index_removed",
    "DROP INDEX photos_by_person",
    "DROP INDEX photos_by_hash",
    "DROP TABLE models",
    "DROP TABLE settings",
    "DROP TABLE index_data",
    "DROP TABLE totals",
    "DROP TABLE templates",
    "CREATE TABLE extra(x)",
    "CREATE VIEW extra AS SELECT name FROM people",
    "CREATE INDEX extra ON people(enrolled_at)",
    "CREATE TRIGGER extra AFTER INSERT ON people BEGIN DELETE FROM people; END",
    "ALTER TABLE people RENAME COLUMN name TO label",
    "ALTER TABLE photos ADD COLUMN extra INTEGER",
    "ALTER TABLE models RENAME TO model",
    "DROP TRIGGER person_removed; CREATE TRIGGER person_removed AFTER DELETE ON people BEGIN "
    "UPDATE totals SET people = people - 1; END",
    "DROP TABLE templates; CREATE TABLE templates(id INTEGER PRIMARY KEY, bytes BLOB)",
    "PRAGMA user_version=0",
    "PRAGMA user_version=-1",
};

INSTANTIATE_TEST_SUITE_P(ByHand, GalleryDamage, testing::ValuesIn(kDamages));

TEST_F(GalleryDamage, WhatIsOlderThanChecksumsIsRead) {
  make();
  damage("UPDATE templates SET checksum = NULL; UPDATE photos SET checksum = NULL");
  EXPECT_EQ(message_of([&] { use(); }), "");
}

TEST_F(GalleryDamage, ATemplateOfNoNumbersIsNotStored) {
  GalleryStore gallery(path_, GalleryStore::Access::kCreate);
  const PersonId id = gallery.add_person("Ada");
  EXPECT_THAT(message_of([&] { gallery.put_template("small", id, std::vector<float>{NAN}); }),
              testing::HasSubstr("numbers only"));
  EXPECT_THAT(message_of([&] { gallery.put_template("small", id, std::vector<float>{INFINITY}); }),
              testing::HasSubstr("numbers only"));
}

TEST(SchemaText, IsThatOfAllSteps) {
  constexpr const char* kSteps[] = {"CREATE TABLE b(x);", "CREATE TABLE a(y); DROP TABLE b"};
  EXPECT_EQ(schema_text(kSteps), "a: CREATE TABLE a(y)\n");
}

}  // namespace
}  // namespace longshot
