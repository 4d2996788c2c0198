// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_upkeep.h"

#include <fstream>

#include <gmock/gmock.h>

#include "longshot/core/error.h"
#include "longshot/pipeline/identifier.h"
#include "longshot/pipeline/small_gallery_test.h"

namespace longshot {
namespace {

class Upkeep : public SmallGallery {
 protected:
  Identification answer(const GalleryStore& gallery, Size size = {12, 10}) {
    IdentifyOptions options;
    options.method = "subspace";
    options.size = size;
    return Identifier(gallery, options).identify({probe(1, 2)}).answers.at(0);
  }
};

TEST_F(Upkeep, CompactingForgetsTheOldestIndexesAndAnswersTheSame) {
  GalleryStore gallery = make_gallery(6);
  const Identification before = answer(gallery);
  answer(gallery, {7, 6});
  const std::vector<IndexSize> sizes = gallery.index_sizes();
  ASSERT_EQ(sizes.size(), 2U);
  const CompactReport some = compact_gallery(gallery, sizes[1].bytes);
  EXPECT_THAT(some.forgotten, testing::ElementsAre("subspace 12x10"));
  EXPECT_LE(some.bytes_after, some.bytes_before);
  EXPECT_THAT(gallery.index_keys(), testing::ElementsAre("subspace 7x6"));
  const CompactReport all = compact_gallery(gallery, 0);
  EXPECT_THAT(all.forgotten, testing::ElementsAre("subspace 7x6"));
  EXPECT_TRUE(compact_gallery(gallery, 0).forgotten.empty());
  const Identification after = answer(gallery);
  ASSERT_EQ(after.candidates.size(), before.candidates.size());
  for (std::size_t k = 0; k < after.candidates.size(); ++k) {
    EXPECT_EQ(after.candidates[k].person, before.candidates[k].person);
    EXPECT_EQ(after.candidates[k].residual, before.candidates[k].residual);
    EXPECT_EQ(after.candidates[k].score, before.candidates[k].score);
  }
  EXPECT_THROW(compact_gallery(gallery, -1), Error);
}

TEST_F(Upkeep, ChecksWhatIsThere) {
  const GalleryStore gallery = make_gallery(4);
  answer(gallery);
  const CheckReport report = check_gallery(gallery);
  EXPECT_EQ(report.people, 4);
  EXPECT_EQ(report.photos, 4);
  EXPECT_EQ(report.indexes, 1);
  EXPECT_EQ(report.bytes, gallery.file_bytes());
}

TEST_F(Upkeep, FindsAFaceThatADiskHasChanged) {
  std::string face;
  {
    const GalleryStore gallery = make_gallery(3);
    const Photo photo = gallery.photos(2).at(0);
    face.assign(photo.pixels.begin(), photo.pixels.end());
  }
  const std::filesystem::path path = folder_ / "people.gallery";
  std::string bytes = read_file(path);
  const std::size_t at = bytes.find(face);
  ASSERT_NE(at, std::string::npos);
  bytes[at + 700] = static_cast<char>(bytes[at + 700] ^ 1);
  write_file(path, bytes);
  const GalleryStore gallery(path, GalleryStore::Access::kRead);
  try {
    check_gallery(gallery);
    ADD_FAILURE() << "nothing was found";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::damaged);
  }
}

TEST_F(Upkeep, MergedPeopleAreSearchedWithAllPhotos) {
  GalleryStore gallery = make_gallery(4);
  const double before = answer(gallery).candidates[0].residual;
  EnrolOptions options;
  options.force = true;
  options.person = "twin";
  enrol(gallery, {photo(1, 2)}, options);
  EXPECT_EQ(answer(gallery).candidates[0].person, "twin");
  merge_people(gallery, "twin", name(1));
  EXPECT_EQ(gallery.template_count("subspace 12x10"), 4);
  EXPECT_EQ(answer(gallery).candidates[0].person, name(1));
  EXPECT_LT(answer(gallery).candidates[0].residual, before);
}

}  // namespace
}  // namespace longshot
