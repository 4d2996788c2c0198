// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using v0::Finding;
using Level = v0::Finding::Level;

class SystemTest : public ScratchTest {
 protected:
  void make_gallery() const {
    GalleryStore gallery(path_, GalleryStore::Access::kCreate);
    const PersonId id = gallery.add_person("anna");
    gallery.add_photo(id, noise_photo(1));
    gallery.put_template("small", id, std::vector<float>(4000, 1.0F));
  }
  // Turns one byte of the longest run of equal bytes over, which lies in the template.
  void damage_template() const {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), {});
    const std::string ones("\0\0\x80\x3f\0\0\x80\x3f\0\0\x80\x3f", 12);
    const std::size_t at = bytes.find(ones);
    ASSERT_NE(at, std::string::npos);
    file.clear();
    file.seekp(static_cast<std::streamoff>(at));
    file.put('\1');
  }
};

TEST_F(SystemTest, NamesWhatIsUsed) {
  EXPECT_THAT((std::vector<std::string>{"avx2", "portable"}), Contains(v0::instruction_set()));
  EXPECT_THAT(v0::method_names(), Contains("longshot"));
  EXPECT_THAT(v0::protocol_names(), Contains("roles"));
  const std::vector<Finding> findings = v0::examine_system();
  ASSERT_EQ(findings.size(), 6U);
  EXPECT_EQ(findings[0].about, "processor");
  EXPECT_THAT(findings[2].what, HasSubstr("OpenCV 4"));
  EXPECT_THAT(findings[3].what, HasSubstr("longshot-clips"));
  EXPECT_THAT(findings[3].what, HasSubstr("longshot-stills"));
  EXPECT_EQ(findings[3].level, Level::fine);
  EXPECT_EQ(findings[4].about, "face network");
  EXPECT_EQ(findings[5].about, "detector");
  for (const Finding& finding : findings) {
    EXPECT_EQ(finding.advice.empty(), finding.level == Level::fine) << finding.what;
  }
}

TEST_F(SystemTest, WhatReadsClipsMayBeMissing) {
  // As the tests have it.
  const std::string before = v0::examine_system()[3].what;
  const std::size_t begin = before.find('/');
  const fs::path helpers = before.substr(begin, before.rfind('.') - begin);
  v0::set_helper_folder(path_.parent_path());
  const Finding finding = v0::examine_system()[3];
  v0::set_helper_folder(helpers);
  EXPECT_EQ(finding.level, Level::remark);
  EXPECT_THAT(finding.advice, HasSubstr("LONGSHOT_HELPERS"));
}

TEST_F(SystemTest, AModelThatIsNoneIsAProblem) {
  const Finding finding = v0::examine_system("/nonexistent/face.onnx").back();
  EXPECT_EQ(finding.level, Level::problem);
  EXPECT_THAT(finding.what, HasSubstr("/nonexistent/face.onnx"));
}

TEST_F(SystemTest, AGalleryIsWhole) {
  make_gallery();
  const std::vector<Finding> findings = v0::examine_gallery(path_);
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0].level, Level::fine);
  EXPECT_THAT(findings[0].what, HasSubstr("1 people, 1 photos"));
  EXPECT_THAT(findings[0].what, HasSubstr("small"));
  EXPECT_EQ(findings[1].level, Level::fine);
}

TEST_F(SystemTest, ALostByteIsFound) {
  make_gallery();
  damage_template();
  const std::vector<Finding> findings = v0::examine_gallery(path_);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].level, Level::problem);
  EXPECT_THAT(findings[0].advice, HasSubstr("copy"));
}

TEST_F(SystemTest, OthersWhoMayReadItAreARemark) {
  make_gallery();
  fs::permissions(path_, fs::perms::others_read, fs::perm_options::add);
  const Finding finding = v0::examine_gallery(path_).at(1);
  EXPECT_EQ(finding.level, Level::remark);
  EXPECT_THAT(finding.advice, HasSubstr("chmod 600"));
}

TEST_F(SystemTest, NoGalleryIsAProblemWithAdvice) {
  const Finding finding = v0::examine_gallery(path_.string() + ".none").at(0);
  EXPECT_EQ(finding.level, Level::problem);
  EXPECT_THAT(finding.advice, HasSubstr("people were enrolled"));
}

}  // namespace
}  // namespace longshot
