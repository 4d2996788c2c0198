// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/enroller.h"

#include <gmock/gmock.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/pipeline/gallery_index.h"
#include "longshot/pipeline/search_session.h"
#include "longshot/pipeline/small_gallery_test.h"

namespace longshot {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

using Enrol = SmallGallery;

TEST_F(Enrol, AddsPeopleAndKeepsWhatIsKnownOfTheirPhotos) {
  GalleryStore gallery = make_gallery(0);
  const EnrolReport report = enrol(gallery, {photo(0), photo(0, 1), photo(1)});
  EXPECT_THAT(report.rejections, IsEmpty());
  EXPECT_EQ(report.people, 2);
  EXPECT_EQ(report.photos, 3);
  const std::vector<Photo> photos = gallery.photos(gallery.find_person(name(0))->id);
  ASSERT_EQ(photos.size(), 2U);
  EXPECT_TRUE(face_of(photos[0]).isApprox(face(0, 0).reshaped(), 0.01));
  EXPECT_THAT(photos[0].source, HasSubstr("person_0/0.png"));
  EXPECT_TRUE(photos[0].eyes.has_value());
  EXPECT_GT(photos[0].quality.at("brightness"), 0.0);
}

TEST_F(Enrol, OneBadPhotoDoesNotStopTheOthers) {
  GalleryStore gallery = make_gallery(0);
  Input broken = photo(5);
  write_file(broken.sample.path, "not a picture");
  Input dark = input("dark/1.png", 0.05 * face(6, 0), "dark");
  const EnrolReport report = enrol(gallery, {photo(0), broken, dark, photo(1)});
  EXPECT_EQ(report.people, 2);
  ASSERT_EQ(report.rejections.size(), 2U);
  EXPECT_EQ(report.rejections[0].path, broken.path);
  EXPECT_THAT(report.rejections[0].reason, HasSubstr("is not a JPEG"));
  EXPECT_THAT(report.rejections[1].reason, HasSubstr("too dark"));
  EXPECT_THAT(report.rejections[1].reason, HasSubstr("Force"));
  EXPECT_EQ(gallery.find_person("dark"), std::nullopt);
}

TEST_F(Enrol, ForceOverridesTheGateWithAWarning) {
  GalleryStore gallery = make_gallery(0);
  EnrolOptions options;
  options.force = true;
  const EnrolReport report =
      enrol(gallery, {input("dark/1.png", 0.05 * face(6, 0), "dark")}, options);
  EXPECT_THAT(report.rejections, IsEmpty());
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_THAT(report.warnings[0].reason, HasSubstr("too dark"));
  EXPECT_TRUE(gallery.find_person("dark").has_value());
}

TEST_F(Enrol, TheSamePhotoIsRefusedWhoeverItIsSaidToShow) {
  GalleryStore gallery = make_gallery(2);
  EnrolOptions options;
  options.force = true;
  EnrolReport report = enrol(gallery, {photo(1)}, options);
  ASSERT_EQ(report.rejections.size(), 1U);
  EXPECT_THAT(report.rejections[0].reason, HasSubstr("already enrolled for person_1"));
  options.person = "somebody else";
  report = enrol(gallery, {photo(1)}, options);
  EXPECT_EQ(report.rejections.size(), 1U);
  EXPECT_EQ(gallery.person_count(), 2);
}

TEST_F(Enrol, OnePersonForAllPhotos) {
  GalleryStore gallery = make_gallery(0);
  EnrolOptions options;
  options.person = "Anna";
  enrol(gallery, {photo(0), photo(0, 1)}, options);
  EXPECT_EQ(gallery.find_person("Anna")->photos, 2);
  options.person = " Anna";
  EXPECT_THROW(enrol(gallery, {photo(1)}, options), Error);
}

TEST_F(Enrol, ExtendsTheIndexesThatAreThere) {
  GalleryStore gallery = make_gallery(3);
  const SearchSession session(gallery, "subspace", {7, 6});
  const std::string& key = session.model().key;
  EXPECT_EQ(gallery.template_count(key), 3);
  const PersonId first = gallery.find_person(name(0))->id;
  const std::vector<float> before = *gallery.find_template(key, first);
  enrol(gallery, {photo(3), photo(0, 1)});
  EXPECT_EQ(gallery.template_count(key), 4);
  EXPECT_NE(*gallery.find_template(key, first), before);
  // As if all had been there from the beginning.
  const std::vector<float> extended = *gallery.find_template(key, first);
  gallery.erase_index(key);
  complete_index(gallery, session.model());
  EXPECT_EQ(*gallery.find_template(key, first), extended);
}

TEST_F(Enrol, NeedsASetup) {
  GalleryStore gallery(folder_ / "bare.gallery", GalleryStore::Access::kCreate);
  EXPECT_THROW(enrol(gallery, {photo(0)}), Error);
}

}  // namespace
}  // namespace longshot
