// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/person_names.h"

#include "longshot/dataset/tree_test.h"

namespace longshot {
namespace {

class PersonNames : public TreeTest {
 protected:
  std::vector<std::string> names(const std::string& path, PersonFrom from) const {
    Dataset dataset = load_dataset(root_ / path);
    name_people(dataset, root_ / path, from);
    std::vector<std::string> subjects;
    for (const Sample& sample : dataset.samples) subjects.push_back(sample.subject);
    return subjects;
  }
};

using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(PersonNames, NumbersAreNobodysNames) {
  add("anna/00.jpg");
  add("anna/01.jpg");
  for (const char* path : {"anna", "anna/00.jpg"}) {
    const std::string message = error_of([&] { names(path, PersonFrom::kAuto); });
    EXPECT_THAT(message, HasSubstr("name the person"));
    EXPECT_THAT(message, HasSubstr("from the folder, \"anna\""));
    EXPECT_THAT(message, HasSubstr("from the stem of the file, \"00\""));
  }
  EXPECT_THAT(names("anna", PersonFrom::kFolder), ElementsAre("anna", "anna"));
  EXPECT_THAT(names("anna", PersonFrom::kStem), ElementsAre("00", "01"));
  EXPECT_THAT(names(".", PersonFrom::kAuto), ElementsAre("anna", "anna"));
}

TEST_F(PersonNames, FoldersAndManifestsMaySayNumbers) {
  add("folders/7/00.jpg");
  EXPECT_THAT(names("folders", PersonFrom::kAuto), ElementsAre("7"));
  add("list/00.jpg");
  add("list/manifest.csv", "path,subject\n00.jpg,00\n");
  EXPECT_THAT(names("list", PersonFrom::kAuto), ElementsAre("00"));
  EXPECT_THAT(names("list", PersonFrom::kManifest), ElementsAre("00"));
  EXPECT_THAT(error_of([&] { names("folders", PersonFrom::kManifest); }), HasSubstr("no manifest"));
}

TEST_F(PersonNames, NamesOfFilesStay) {
  add("photos/anna.jpg");
  add("photos/bert_2.jpg");
  add("photos/3.jpg");
  add("photos/IMG_2042.jpg");
  Dataset dataset = load_dataset(root_ / "photos");
  name_people(dataset, root_ / "photos", PersonFrom::kAuto);
  ASSERT_EQ(dataset.samples.size(), 2U);
  EXPECT_EQ(dataset.samples[0].subject, "anna");
  EXPECT_EQ(dataset.samples[1].subject, "bert");
  ASSERT_EQ(dataset.rejections.size(), 2U);
  EXPECT_THAT(dataset.rejections[1].reason, HasSubstr("does not say whom it shows"));
}

TEST_F(PersonNames, TwoPhotosOfACameraAreNotOnePersonCalledImg) {
  add("roll/IMG_2042.jpg");
  add("roll/IMG_2043.jpg");
  EXPECT_THAT(error_of([&] { names("roll", PersonFrom::kAuto); }), HasSubstr("IMG_2042"));
  EXPECT_THAT(names("roll", PersonFrom::kStem), ElementsAre("IMG_2042", "IMG_2043"));
  EXPECT_THAT(names("roll", PersonFrom::kFolder), ElementsAre("roll", "roll"));
  EXPECT_THAT(names(".", PersonFrom::kAuto), ElementsAre("roll", "roll"));
}

}  // namespace
}  // namespace longshot
