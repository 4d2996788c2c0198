// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/open_index.h"

#include <gtest/gtest.h>

#include "longshot/pipeline/search_session.h"
#include "longshot/pipeline/small_gallery_test.h"

namespace longshot {
namespace {

class OpenedIndex : public SmallGallery {
 protected:
  void enrol_photos(GalleryStore& gallery, const std::vector<Input>& photos) {
    EnrolOptions options;
    options.force = true;
    enrol(gallery, photos, options);
  }
  // What was made from the older index must be what is read anew, to the last bit.
  void expect_as_reloaded(const OpenIndex& index, const GalleryStore& gallery,
                          const GalleryModel& model) {
    const GallerySnapshot snapshot(gallery);
    const std::shared_ptr<const OpenIndex> anew = open_index(gallery, model, nullptr);
    EXPECT_EQ(index.block.people, anew->block.people);
    EXPECT_EQ(index.marks, anew->marks);
    EXPECT_EQ(index.revision, anew->revision);
    EXPECT_EQ(index.block.searcher->bytes(), anew->block.searcher->bytes());
    Matrix probes(model.model.geometry.low.pixels(), 3);
    for (Index i = 0; i < 3; ++i) {
      probes.col(i) = degrade(face(i, 1), model.model.geometry.low).reshaped();
    }
    EXPECT_EQ(index.block.searcher->distances(probes), anew->block.searcher->distances(probes));
    EXPECT_EQ(index.block.searcher->search(probes, 2).people,
              anew->block.searcher->search(probes, 2).people);
  }
};

TEST_F(OpenedIndex, FollowsEveryChangeAsIfItWereReadAnew) {
  for (const char* method : {"longshot", "crc"}) {
    GalleryStore gallery = make_gallery(6);
    const SearchSession session(gallery, method, {7, 6});
    std::shared_ptr<const OpenIndex> index = session.index();
    const auto follow = [&] {
      {
        const GallerySnapshot snapshot(gallery);
        index = open_index(gallery, session.model(), index);
      }
      expect_as_reloaded(*index, gallery, session.model());
    };
    follow();
    gallery.remove_person(name(2));
    follow();
    enrol_photos(gallery, {photo(6), photo(0, 1)});
    follow();
    gallery.rename_person(name(1), "another name");
    follow();
    GalleryStore other(gallery.path(), GalleryStore::Access::kWrite);
    other.remove_person(name(6));
    other.remove_person(name(0));
    enrol_photos(other, {photo(7), photo(8)});
    follow();
    remove_photo(gallery, name(7), gallery.photos(gallery.find_person(name(7))->id)[0].id);
    follow();
    std::filesystem::remove(gallery.path());
  }
}

TEST_F(OpenedIndex, KeepsItsOwnStateAndIsTheSameUntilSomethingChanges) {
  GalleryStore gallery = make_gallery(4);
  const SearchSession session(gallery, "subspace", {7, 6});
  const std::shared_ptr<const OpenIndex> before =
      open_index(gallery, session.model(), session.index());
  EXPECT_EQ(open_index(gallery, session.model(), before), before);
  const Matrix probe = degrade(face(1, 1), {7, 6}).reshaped();
  const Matrix distances = before->block.searcher->distances(probe);
  gallery.remove_person(name(1));
  const std::shared_ptr<const OpenIndex> after = open_index(gallery, session.model(), before);
  EXPECT_NE(after, before);
  EXPECT_EQ(after->block.people.size(), 3U);
  EXPECT_EQ(before->block.searcher->distances(probe), distances);
}

}  // namespace
}  // namespace longshot
