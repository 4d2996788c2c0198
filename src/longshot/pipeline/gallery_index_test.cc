// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_index.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/pipeline/search_session.h"
#include "longshot/pipeline/small_gallery_test.h"

namespace longshot {
namespace {

class GalleryIndex : public SmallGallery {
 protected:
  // The templates of a person must be those that their photos give.
  static void expect_fresh(const GalleryStore& gallery, const GalleryModel& model,
                           PersonId person) {
    const auto kept = gallery.find_template(model.key, person);
    ASSERT_TRUE(kept.has_value());
    EXPECT_EQ(*kept,
              template_values(model.enrol(photos_of(gallery, person, model.model.geometry.high))));
  }
};

TEST_F(GalleryIndex, IsReadByAnyNumberOfThreadsInOneOrder) {
  GalleryStore gallery = make_gallery(5);
  const SearchSession session(gallery, "subspace", {7, 6});
  const IndexBlock block = read_index(gallery, session.model());
  ASSERT_EQ(block.people.size(), 5U);
  EXPECT_TRUE(std::is_sorted(block.people.begin(), block.people.end()));
  const Matrix probes = degrade(face(2, 1), {7, 6}).reshaped();
  EXPECT_EQ(block.searcher->distances(probes),
            block_of(gallery, session.model(), block.people).searcher->distances(probes));
}

TEST_F(GalleryIndex, RemovingAPhotoMakesTheTemplatesAnew) {
  GalleryStore gallery = make_gallery(2);
  EnrolOptions options;
  options.force = true;
  enrol(gallery, {photo(0, 1)}, options);
  const SearchSession session(gallery, "subspace", {7, 6});
  const PersonId person = gallery.find_person(name(0))->id;
  const std::vector<Photo> photos = gallery.photos(person);
  ASSERT_EQ(photos.size(), 2U);
  const std::vector<float> both = *gallery.find_template(session.model().key, person);
  EXPECT_FALSE(remove_photo(gallery, name(1), photos[0].id));
  EXPECT_THROW(remove_photo(gallery, "nobody", photos[0].id), Error);
  EXPECT_EQ(gallery.photos(person).size(), 2U);

  EXPECT_TRUE(remove_photo(gallery, name(0), photos[0].id));
  EXPECT_NE(*gallery.find_template(session.model().key, person), both);
  expect_fresh(gallery, session.model(), person);

  EXPECT_TRUE(remove_photo(gallery, name(0), photos[1].id));
  EXPECT_FALSE(gallery.find_template(session.model().key, person).has_value());
  EXPECT_TRUE(gallery.find_person(name(0)).has_value());
}

TEST_F(GalleryIndex, AnIndexThatAnotherStoreMadeMeanwhileIsNeverStale) {
  GalleryStore gallery = make_gallery(2);
  const PersonId person = gallery.find_person(name(0))->id;
  GalleryStore other(gallery.path(), GalleryStore::Access::kWrite);
  const SearchSession session(other, "subspace", {7, 6});
  EnrolOptions options;
  options.force = true;
  enrol(gallery, {photo(0, 1)}, options);
  expect_fresh(other, session.model(), person);
  // A store that knows no model leaves no template rather than an old one.
  gallery.remove_photo(gallery.photos(person)[0].id);
  EXPECT_FALSE(other.find_template(session.model().key, person).has_value());
  complete_index(other, session.model());
  expect_fresh(other, session.model(), person);
}

TEST_F(GalleryIndex, PeopleWithoutPhotosDoNotMakeItIncomplete) {
  GalleryStore gallery = make_gallery(2);
  gallery.add_person("without photos");
  const SearchSession session(gallery, "subspace", {7, 6});
  const std::int64_t revision = gallery.revision();
  complete_index(gallery, session.model());
  EXPECT_EQ(gallery.revision(), revision);
}

}  // namespace
}  // namespace longshot
