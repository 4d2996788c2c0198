// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/search_session.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/pipeline/identifier.h"
#include "longshot/pipeline/small_gallery_test.h"

namespace longshot {
namespace {

// The superuser may write anywhere, another user may not.
class AsAnotherUser {
 public:
  AsAnotherUser() : root_(::geteuid() == 0) {
    if (root_ && ::seteuid(65534) != 0) throw Error("Cannot become a user.");
  }
  ~AsAnotherUser() {
    if (root_ && ::seteuid(0) != 0) std::abort();
  }

 private:
  bool root_;
};

using Session = SmallGallery;

TEST_F(Session, SearchesWhatTheGalleryHoldsNow) {
  GalleryStore gallery = make_gallery(4);
  const SearchSession session(gallery, "subspace", {12, 10});
  const Matrix probe = degrade(face(1, 0), {12, 10}).reshaped();
  const PersonId person = gallery.find_person(name(1))->id;
  EXPECT_EQ(session.search(gallery).search.search(probe, 1).people[0][0].person, person);
  GalleryStore other(gallery.path(), GalleryStore::Access::kWrite);
  other.remove_person(name(1));
  const StateSearch now = session.search(gallery);
  EXPECT_EQ(now.snapshot, nullptr);
  const Nearest nearest = now.search.search(probe, 10);
  EXPECT_EQ(nearest.people[0].size(), 3U);
  for (const PersonDistance& near : nearest.people[0]) EXPECT_NE(near.person, person);
}

TEST_F(Session, HoldsUntilItsModelIsForgottenOrTheGalleryGrows) {
  GalleryStore gallery = make_gallery(4);
  const SearchSession session(gallery, "subspace", {7, 6});
  EXPECT_TRUE(session.holds(gallery));
  gallery.rename_person(name(0), "another name");
  EXPECT_TRUE(session.holds(gallery));
  gallery.remove_person(name(1));
  EXPECT_FALSE(session.holds(gallery));
  const SearchSession next(gallery, "subspace", {7, 6});
  EXPECT_TRUE(next.holds(gallery));
  forget_models(gallery);
  EXPECT_FALSE(next.holds(gallery));
  const SearchSession last(gallery, "subspace", {7, 6});
  EXPECT_TRUE(last.holds(gallery));
  EXPECT_FALSE(next.holds(gallery));
}

TEST_F(Session, APreparedGalleryIsSearchedWithoutWriteAccess) {
  namespace fs = std::filesystem;
  const std::vector<Input> probes = {probe(1, 0), probe(2, 1)};
  const std::vector<Input> smaller = {probe(1, 2, {7, 6})};
  IdentifyOptions options;
  options.method = "subspace";
  const fs::path folder = folder_ / "protected";
  fs::path path;
  Identifications before;
  {
    GalleryStore gallery = make_gallery(4);
    path = gallery.path();
    before = Identifier(gallery, options).identify(probes);
  }
  fs::create_directory(folder);
  fs::rename(path, folder / "people.gallery");
  path = folder / "people.gallery";
  fs::permissions(path, fs::perms{0444});
  fs::permissions(folder, fs::perms{0555});
  {
    const AsAnotherUser user;
    const Identifier identifier(std::make_shared<OpenGallery>(path), options);
    const Identifications after = identifier.identify(probes);
    for (std::size_t i = 0; i < probes.size(); ++i) {
      EXPECT_EQ(after.answers[i].error, "");
      EXPECT_EQ(after.answers[i].known, before.answers[i].known);
      ASSERT_EQ(after.answers[i].candidates.size(), before.answers[i].candidates.size());
      for (std::size_t k = 0; k < after.answers[i].candidates.size(); ++k) {
        EXPECT_EQ(after.answers[i].candidates[k].person, before.answers[i].candidates[k].person);
        EXPECT_EQ(after.answers[i].candidates[k].score, before.answers[i].candidates[k].score);
      }
    }
    // Another size would have to be learnt and kept.
    EXPECT_THROW(identifier.identify(smaller), Error);
  }
  EXPECT_FALSE(fs::exists(path.string() + "-wal"));
  fs::permissions(folder, fs::perms{0755});
}

}  // namespace
}  // namespace longshot
