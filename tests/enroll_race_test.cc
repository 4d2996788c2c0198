// SPDX-License-Identifier: Apache-2.0
// Processes that enrol into one new gallery at once: whoever fails takes nobody with him.
#include <cstdlib>

#include <gtest/gtest.h>

#include "longshot/gallery/gallery_store.h"
#include "longshot/image/image_io.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

class EnrollRace : public testing::Test {
 protected:
  EnrollRace() {
    fs::create_directories(folder_ / "black/anna");
    fs::create_directories(folder_ / "good/bert");
    write_image(folder_ / "black/anna/1.png", Image::Zero(60, 50));
    write_image(folder_ / "good/bert/1.png", Image::NullaryExpr(60, 50, [](Index r, Index c) {
                  return static_cast<double>((r * 31 + c * 17) % 97) / 96.0;
                }));
  }
  int shell(const std::string& command) const {
    return std::system(("cd " + folder_.path() + " && " + command).c_str());
  }

  const std::string enroll_ =
      std::string(LONGSHOT_PROGRAM) + " --quiet enroll --aligned --gallery g ";
  ScratchFolder folder_;
};

TEST_F(EnrollRace, AFailureTakesNobodyAway) {
  for (int run = 0; run < 12; ++run) {
    fs::remove(folder_ / "g");
    shell("{ " + enroll_ + "black & " + enroll_ + "good; wait; } >/dev/null 2>&1");
    ASSERT_TRUE(fs::exists(folder_ / "g")) << run;
    EXPECT_TRUE(GalleryStore(folder_ / "g", GalleryStore::Access::kRead).find_person("bert"))
        << run;
  }
}

TEST_F(EnrollRace, ALoneFailureLeavesNothing) {
  EXPECT_NE(shell(enroll_ + "black 2>/dev/null"), 0);
  EXPECT_FALSE(fs::exists(folder_ / "g"));
  fs::create_symlink("nowhere", folder_ / "g");
  EXPECT_NE(shell(enroll_ + "good 2>/dev/null"), 0);
  EXPECT_TRUE(fs::is_symlink(folder_ / "g"));
}

}  // namespace
}  // namespace longshot
