// SPDX-License-Identifier: Apache-2.0
// A gallery that was made for nothing goes; nobody's people ever do.
#include <set>

#include <gmock/gmock.h>

#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

class GalleryDiscard : public ScratchTest {
 protected:
  GalleryStore create() const { return {path_, GalleryStore::Access::kCreate}; }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
};

TEST_F(GalleryDiscard, WhatWasMadeForNothingLeavesNothing) {
  GalleryStore gallery = create();
  gallery.set_setting("frame", "1,2,3,4,5");
  gallery.put_model("training", "bytes");
  EXPECT_TRUE(std::move(gallery).discard_if_unused());
  EXPECT_EQ(files(), 0U);
}

TEST_F(GalleryDiscard, AlsoWhileAnExceptionUnwinds) {
  EXPECT_THROW(
      {
        GalleryStore gallery = create();
        const DiscardUnused discard(gallery);
        throw Cancelled();
      },
      Cancelled);
  EXPECT_EQ(files(), 0U);
}

TEST_F(GalleryDiscard, KeepsPeopleAndOldFilesAndOthersChanges) {
  {
    GalleryStore gallery = create();
    gallery.add_person("Ada");
    EXPECT_FALSE(std::move(gallery).discard_if_unused());
  }
  {
    GalleryStore gallery = create();
    gallery.remove_person("Ada");
    EXPECT_FALSE(std::move(gallery).discard_if_unused());  // somebody else made it
  }
  fs::remove(path_);
  GalleryStore gallery = create();
  GalleryStore(path_, GalleryStore::Access::kWrite).put_model("training", "bytes");
  EXPECT_FALSE(std::move(gallery).discard_if_unused());
  EXPECT_EQ(GalleryStore(path_, GalleryStore::Access::kRead).model("training"), "bytes");
}

TEST_F(GalleryDiscard, WhoeverHasItOpenKeepsIt) {
  GalleryStore gallery = create();
  GalleryStore other = create();
  EXPECT_FALSE(std::move(gallery).discard_if_unused());
  other.add_person("Ada");
  other.check_integrity();
  EXPECT_EQ(GalleryStore(path_, GalleryStore::Access::kRead).person_count(), 1);
}

TEST_F(GalleryDiscard, ALinkToNothingStays) {
  fs::create_symlink(folder_ / "none", path_);
  EXPECT_THAT(message_of([&] { create(); }), testing::HasSubstr("link to a file that does not"));
  EXPECT_TRUE(fs::is_symlink(path_));
}

// Processes that make a gallery, and take it away or enrol somebody, all at once.
TEST_F(GalleryDiscard, NobodyIsLostAmongManyProcesses) {
  constexpr int kProcesses = 6;
  const auto work = [&](int pipe, int process, int round) {
    GalleryStore gallery = create();
    const DiscardUnused discard(gallery);
    if ((process + round) % 2 == 0) throw Error("");
    const std::string name = fmt::format("p{}", process);
    gallery.add_person(name);
    Child::send(pipe, name);
  };
  for (int round = 0; round < 40; ++round) {
    fs::remove(path_);
    std::vector<std::unique_ptr<Child>> children;
    for (int i = 0; i < kProcesses; ++i) {
      children.push_back(std::make_unique<Child>([&, i](int pipe) { work(pipe, i, round); }));
    }
    std::set<std::string> committed;
    for (const auto& child : children) {
      if (const std::string name = child->received(); !name.empty()) committed.insert(name);
    }
    EXPECT_EQ(committed.size(), std::size_t{kProcesses / 2}) << *committed.begin();
    std::set<std::string> found;
    const GalleryStore gallery(path_, GalleryStore::Access::kRead);
    gallery.check_integrity();
    for (const Person& person : gallery.people()) found.insert(person.name);
    EXPECT_EQ(found, committed) << "round " << round;
  }
}

}  // namespace
}  // namespace longshot
