// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_transfer.h"

#include <gmock/gmock.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/pipeline/gallery_index.h"
#include "longshot/pipeline/gallery_upkeep.h"
#include "longshot/pipeline/identifier.h"
#include "longshot/pipeline/small_gallery_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

class Transfer : public SmallGallery {
 protected:
  Identification answer(const GalleryStore& gallery, Size size = {12, 10}) {
    IdentifyOptions options;
    options.method = "subspace";
    options.size = size;
    return Identifier(gallery, options).identify({probe(1, 2)}).answers.at(0);
  }
  GalleryStore other(const std::string& file = "other.gallery") const {
    return {folder_ / file, GalleryStore::Access::kCreate};
  }
};

void expect_same_photos(const GalleryStore& a, const GalleryStore& b) {
  ASSERT_EQ(a.person_count(), b.person_count());
  for (const Person& person : a.people()) {
    const std::vector<Photo> ours = a.photos(person.id);
    const std::vector<Photo> theirs = b.photos(b.find_person(person.name).value().id);
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_EQ(ours[i].pixels, theirs[i].pixels);
  }
}

void expect_same_answers(const Identification& a, const Identification& b) {
  EXPECT_EQ(a.error, "");
  EXPECT_EQ(a.known, b.known);
  ASSERT_EQ(a.candidates.size(), b.candidates.size());
  for (std::size_t k = 0; k < a.candidates.size(); ++k) {
    EXPECT_EQ(a.candidates[k].person, b.candidates[k].person);
    EXPECT_EQ(a.candidates[k].score, b.candidates[k].score);
    EXPECT_EQ(a.candidates[k].residual, b.candidates[k].residual);
  }
}

TEST_F(Transfer, AFolderBringsNamesAndPhotosBackAsTheyWere) {
  const GalleryStore gallery = make_gallery(4);
  const TransferReport out = export_photos(gallery, folder_ / "out");
  EXPECT_EQ(out.people, 4);
  EXPECT_EQ(out.photos, 4);
  EXPECT_EQ(fs::status(folder_ / "out").permissions(), fs::perms::owner_all);
  GalleryStore copy = other();
  const TransferReport in = import_people(copy, folder_ / "out");
  EXPECT_EQ(in.people, 4);
  EXPECT_TRUE(in.rejections.empty());
  expect_same_photos(gallery, copy);
  EXPECT_EQ(setup_of(copy).frame, setup_of(gallery).frame);
  EXPECT_EQ(setup_of(copy).high, setup_of(gallery).high);
  // Once more: everybody is there already.
  EXPECT_EQ(import_people(copy, folder_ / "out").rejections.size(), 4U);
  EXPECT_THROW(export_photos(gallery, folder_ / "out"), Error);
}

TEST_F(Transfer, AddsThePeopleOfAnotherGallery) {
  GalleryStore gallery = make_gallery(3);
  answer(gallery);
  GalleryStore second = other();
  write_setup(second, {});
  EnrolOptions options;
  options.force = true;
  enrol(second, {photo(1, 0), photo(1, 3), photo(5)}, options);
  const TransferReport report = import_people(gallery, second.path());
  EXPECT_EQ(report.people, 1);
  EXPECT_EQ(report.photos, 2);
  ASSERT_EQ(report.rejections.size(), 1U);
  EXPECT_THAT(report.rejections[0].reason, testing::HasSubstr("already there"));
  EXPECT_EQ(gallery.person_count(), 4);
  EXPECT_EQ(gallery.template_count("subspace 12x10"), 4);
  check_gallery(gallery);
}

TEST_F(Transfer, AFailedImportChangesNothing) {
  GalleryStore gallery = make_gallery(2);
  GalleryStore second = other();
  GallerySetup setup;
  setup.high = {60, 50};
  write_setup(second, setup);
  EnrolOptions options;
  options.force = true;
  enrol(second, {photo(5)}, options);
  EXPECT_THROW(import_people(gallery, second.path()), Error);
  EXPECT_THROW(import_people(gallery, folder_ / "none"), Error);
  EXPECT_EQ(gallery.person_count(), 2);
}

TEST_F(Transfer, TemplatesAloneAnswerTheSame) {
  const GalleryStore gallery = make_gallery(5);
  EXPECT_THROW(export_templates(gallery, folder_ / "early"), Error);
  EXPECT_FALSE(fs::exists(folder_ / "early"));
  const Identification before = answer(gallery);
  export_templates(gallery, folder_ / "templates");
  GalleryStore templates(folder_ / "templates", GalleryStore::Access::kWrite);
  EXPECT_EQ(templates.person_count(), 5);
  EXPECT_EQ(templates.photo_count(), 0);
  expect_same_answers(answer(templates), before);
  // Another size cannot be learnt, nobody can be enrolled, but people can go, most of them too.
  EXPECT_THROW(answer(templates, {7, 6}), Error);
  EXPECT_THROW(enrol(templates, {photo(6)}), Error);
  EXPECT_THROW(merge_people(templates, name(0), name(1)), Error);
  for (const Index i : {0, 2, 3}) templates.remove_person(name(i));
  EXPECT_EQ(answer(templates).candidates[0].person, name(1));
}

TEST_F(Transfer, TemplatesGoIntoANewGalleryOrOneOfTheSameModels) {
  GalleryStore gallery = make_gallery(5);
  const Identification before = answer(gallery);
  export_templates(gallery, folder_ / "templates");
  GalleryStore copy = other();
  EXPECT_EQ(import_people(copy, folder_ / "templates").people, 5);
  expect_same_answers(answer(copy), before);
  EXPECT_EQ(import_people(copy, folder_ / "templates").rejections.size(), 5U);
  // A gallery with photos keeps to photos.
  EXPECT_THROW(import_people(gallery, folder_ / "templates"), Error);
  EXPECT_THROW(import_people(copy, gallery.path()), Error);
}

}  // namespace
}  // namespace longshot
