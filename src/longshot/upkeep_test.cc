// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "longshot/crop_test.h"  // first: it keeps the two faces apart
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

class UpkeepFace : public testing::Test {
 protected:
  UpkeepFace() : folder_(fs::path(testing::TempDir()) / fmt::format("upkeep_face_{}", getpid())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~UpkeepFace() override { fs::remove_all(folder_); }

  v0::Gallery with_people(int count) const {
    v0::Gallery gallery = v0::Gallery::open_or_create(folder_ / "people.gallery");
    enroll_crops(gallery, count);
    return gallery;
  }

  fs::path folder_;
};

TEST_F(UpkeepFace, ChecksCompactsAndBacksUp) {
  v0::Gallery gallery = with_people(3);
  gallery.prepare({12, 10}, "subspace");
  EXPECT_EQ(gallery.check().indexes, 1);
  v0::CompactOptions options;
  options.cache_bytes = 0;
  const v0::Compacted compacted = gallery.compact(options);
  EXPECT_EQ(compacted.forgotten, std::vector<std::string>{"subspace 12x10"});
  EXPECT_LE(compacted.bytes_after, compacted.bytes_before);
  std::ptrdiff_t last = 0;
  std::ptrdiff_t all = -1;
  gallery.backup(folder_ / "copy", [&](std::string_view, std::ptrdiff_t done, std::ptrdiff_t of) {
    last = done;
    all = of;
    return true;
  });
  EXPECT_EQ(last, all);
  EXPECT_EQ(v0::Gallery::open(folder_ / "copy").check().people, 3);
  try {
    gallery.backup(folder_ / "copy");
    ADD_FAILURE() << "replaced";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::already_there);
  }
}

TEST_F(UpkeepFace, ExportsImportsAndMerges) {
  v0::Gallery gallery = with_people(3);
  EXPECT_EQ(gallery.export_to(folder_ / "out").photos, 3);
  v0::Gallery other = v0::Gallery::open_or_create(folder_ / "other.gallery");
  EXPECT_EQ(other.import_from(folder_ / "out").people, 3);
  other.merge("person_0", "person_2");
  EXPECT_EQ(other.person("person_2").photos, 2);
  EXPECT_EQ(other.person_count(), 2);
  gallery.prepare({12, 10}, "subspace");
  gallery.export_to(folder_ / "templates", v0::Share::templates);
  EXPECT_EQ(v0::Gallery::open(folder_ / "templates").photo_count(), 0);
}

}  // namespace
}  // namespace longshot
