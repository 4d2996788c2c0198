// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/ar.h"

#include "longshot/dataset/tree_test.h"

namespace longshot {
namespace {

class Ar : public TreeTest {
 protected:
  // "subject session condition" of each sample.
  std::vector<std::string> read(const std::string& folder = "") const {
    std::vector<std::string> facts;
    for (const Sample& sample : read_ar(root_ / folder).samples) {
      facts.push_back(fmt::format("{} {} {}", sample.subject, sample.session, sample.condition));
    }
    return facts;
  }
};

TEST_F(Ar, ReadsNamesInOneFolder) {
  for (const char* name : {"m-001-01.bmp", "W-001-14.bmp", "m-001-13.pgm", "m-076-26.jpg"}) {
    add(name);
  }
  EXPECT_TRUE(is_ar(root_));
  EXPECT_THAT(read(),
              testing::UnorderedElementsAre("w-001 2 1", "m-001 1 1", "m-001 1 13", "m-076 2 13"));
  EXPECT_FALSE(read_ar(root_).aligned);
}

TEST_F(Ar, ReadsFoldersBySession) {
  for (const char* name : {"session1/m-001-02.bmp", "session2/m-001-02.bmp",
                           "session2/m-001-16.bmp", "S2/w-003/w-003-05.bmp", "s1/w-003/7.bmp"}) {
    add(name);
  }
  EXPECT_TRUE(is_ar(root_));
  EXPECT_THAT(read(), testing::UnorderedElementsAre("m-001 1 2", "m-001 2 2", "m-001 2 3",
                                                    "w-003 2 5", "w-003 1 7"));
  EXPECT_THAT(read("session2"), testing::UnorderedElementsAre("m-001 2 2", "m-001 2 3"));
}

TEST_F(Ar, ReadsFoldersBySubject) {
  add("m-001/m-001-14.bmp");
  add("w-002/20.bmp");
  EXPECT_THAT(read(), testing::UnorderedElementsAre("m-001 2 1", "w-002 2 7"));
}

TEST_F(Ar, RejectsWhatDoesNotFit) {
  for (const char* name : {"m-001-00.bmp", "m-001-27.bmp", "m-01-01.bmp", "x-001-01.bmp",
                           "m-001-.bmp", "m-001.bmp", "m-001-001.bmp", "s1/m-001-14.bmp",
                           "m-002/m-001-01.bmp", "05.bmp", "m-001-03.bmp/deep/er/m-001-01.bmp"}) {
    add(name);
  }
  const Dataset dataset = read_ar(root_);
  EXPECT_TRUE(dataset.samples.empty());
  EXPECT_EQ(dataset.rejections.size(), 10U);
}

TEST_F(Ar, OtherFoldersAreNotTaken) {
  add("anna/m-1.jpg");
  add("w-001/01.jpg");
  EXPECT_FALSE(is_ar(root_));
}

}  // namespace
}  // namespace longshot
