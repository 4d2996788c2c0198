// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/dataset.h"

#include <set>

#include "longshot/core/test_data.h"
#include "longshot/dataset/sample_reader.h"
#include "longshot/dataset/tree_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class DatasetTest : public TreeTest {
 protected:
  std::string message(const fs::path& path, DatasetFormat format = DatasetFormat::kAuto) const {
    return error_of([&] { load_dataset(path, format); });
  }
};

std::set<std::string> subjects(const Dataset& dataset) {
  std::set<std::string> names;
  for (const Sample& sample : dataset.samples) names.insert(sample.subject);
  return names;
}

bool is_sorted(const Dataset& dataset) {
  return std::is_sorted(dataset.samples.begin(), dataset.samples.end(),
                        [](const Sample& a, const Sample& b) { return a.path < b.path; });
}

TEST_F(DatasetTest, RecognisesEachLayout) {
  add("people/anna/1.jpg");
  add("flat/bob_2.jpg");
  add("yale/yaleB01/yaleB01_P00A+000E+00.pgm");
  add("pie/illum/s01/i01.pgm");
  add("ar/s1/m-001-05.bmp");
  add("listed/x.jpg");
  add("listed/manifest.csv", "path,subject\nx.jpg,dora\n");
  add("set.xml",
      "<biometric-signature-set><biometric-signature name=\"eve\">"
      "<presentation file-name=\"flat/bob_2.jpg\"/></biometric-signature>"
      "</biometric-signature-set>");
  const auto only = [&](const char* path) {
    const Dataset dataset = load_dataset(root_ / path);
    EXPECT_EQ(dataset.samples.size(), 1U) << path;
    return dataset.samples.at(0).subject + "/" + dataset.samples.at(0).condition;
  };
  EXPECT_EQ(only("people"), "anna/");
  EXPECT_EQ(only("flat"), "bob/");
  EXPECT_EQ(only("flat/bob_2.jpg"), "bob/");
  EXPECT_EQ(only("yale"), "yaleB01/A+000E+00");
  EXPECT_EQ(only("yale/yaleB01"), "yaleB01/A+000E+00");
  EXPECT_EQ(only("pie"), "s01/i01");
  EXPECT_EQ(only("pie/illum"), "s01/i01");
  EXPECT_EQ(only("ar"), "m-001/5");
  EXPECT_EQ(only("listed"), "dora/");
  EXPECT_EQ(only("listed/manifest.csv"), "dora/");
  EXPECT_EQ(only("set.xml"), "eve/");
}

TEST_F(DatasetTest, AnExplicitFormatWins) {
  add("pie/s01/i01.pgm");
  add("pie/manifest.csv", "path,subject\ns01/i01.pgm,dora\n");
  EXPECT_EQ(load_dataset(root_ / "pie").samples[0].subject, "dora");
  EXPECT_EQ(load_dataset(root_ / "pie", DatasetFormat::kPie).samples[0].subject, "s01");
  EXPECT_EQ(load_dataset(root_ / "pie", DatasetFormat::kManifest).samples[0].subject, "dora");
  const Dataset folders = load_dataset(root_ / "pie", DatasetFormat::kFolders);
  EXPECT_EQ(folders.samples[0].condition, "");
  EXPECT_FALSE(folders.aligned);
  EXPECT_THAT(message(root_ / "pie", DatasetFormat::kFlat), HasSubstr("No images were found"));
  EXPECT_EQ(load_dataset(add("face.dat"), DatasetFormat::kImage).samples[0].subject, "face");
}

TEST_F(DatasetTest, SamplesComeSortedByPath) {
  for (const char* name : {"b/2.jpg", "a/9.jpg", "b/1.jpg", "zoe.jpg", "a.jpg"}) add(name);
  add("manifest.csv", "path,subject,session\nb/2.jpg,x,1\na/9.jpg,y,2\nb/2.jpg,x,3\n");
  EXPECT_TRUE(is_sorted(load_dataset(root_, DatasetFormat::kFolders)));
  const Dataset listed = load_dataset(root_);
  ASSERT_EQ(listed.samples.size(), 3U);
  EXPECT_EQ(listed.samples[0].subject, "y");
  EXPECT_EQ(listed.samples[1].session, "1");
  EXPECT_EQ(listed.samples[2].session, "3");
}

TEST_F(DatasetTest, SaysWhatIsWrong) {
  EXPECT_THAT(message(root_ / "none"), testing::EndsWith("none does not exist."));
  EXPECT_THAT(message(root_), HasSubstr("No images were found in " + root_.string()));
  EXPECT_THAT(message(add("notes.txt")), HasSubstr("neither an image"));
  EXPECT_THAT(message(root_ / "notes.txt", DatasetFormat::kPie), HasSubstr("is a file"));
  EXPECT_THAT(message(root_, DatasetFormat::kMat), HasSubstr("is a folder"));
  EXPECT_THAT(message(root_, DatasetFormat::kManifest), HasSubstr("No such file"));
  EXPECT_THAT(message(add("bad.mat")), HasSubstr("bad.mat is not a MATLAB file"));
  EXPECT_THAT(message(add("empty.jpg", "")), HasSubstr("empty.jpg: The file is empty."));
  add("m.csv", "path,subject\n1.jpg,x\n2.jpg,y\n");
  EXPECT_THAT(message(root_ / "m.csv"), HasSubstr("2 entries were rejected"));
  EXPECT_THAT(message(root_ / "m.csv"), HasSubstr("m.csv:2"));
  add("m.csv", "path,subject\n");
  EXPECT_THAT(message(root_ / "m.csv"), HasSubstr("at least one line"));
}

TEST_F(DatasetTest, RealYaleB) {
  const auto data = test_data("yaleb-192x168");
  if (!data) GTEST_SKIP() << "skipped: no data";
  const fs::path& root = *data;
  const Dataset dataset = load_dataset(root);
  EXPECT_EQ(dataset.samples.size(), 2414U);
  EXPECT_EQ(subjects(dataset).size(), 38U);
  EXPECT_TRUE(dataset.rejections.empty());
  EXPECT_TRUE(is_sorted(dataset));
  EXPECT_EQ(dataset.aligned, (FaceFrame{{{0.207, 0.242}, {0.772, 0.242}}, 192.0 / 168.0}));
  EXPECT_EQ(load_dataset(root / "yaleB01").aligned, dataset.aligned);
  EXPECT_EQ(size_of(SampleReader().read(dataset.samples.front())), (Size{192, 168}));
}

TEST_F(DatasetTest, RealPie) {
  const auto data = test_data("pie-c27-32x32");
  if (!data) GTEST_SKIP() << "skipped: no data";
  const fs::path& root = *data;
  const Dataset illum = load_dataset(root / "illum");
  EXPECT_EQ(illum.samples.size(), 68U * 21U);
  EXPECT_EQ(subjects(illum).size(), 68U);
  EXPECT_EQ(illum.aligned, (FaceFrame{{{0.27, 0.23}, {0.74, 0.23}}, 1.0}));
  const Dataset both = load_dataset(root);
  EXPECT_EQ(both.samples.size(), 2 * 68U * 21U);
  EXPECT_TRUE(is_sorted(both));
  EXPECT_EQ(both.samples.front().session, "illum");
  EXPECT_EQ(both.samples.back().session, "lights");
  EXPECT_TRUE(both.rejections.empty());
}

TEST_F(DatasetTest, RealPhotos) {
  const auto data = test_data("photos");
  if (!data) GTEST_SKIP() << "skipped: no data";
  const fs::path& root = *data;
  const Dataset dataset = load_dataset(root);
  EXPECT_EQ(dataset.samples.size(), 12U);
  EXPECT_EQ(subjects(dataset).count("Alvaro_Uribe"), 1U);
  EXPECT_EQ(subjects(dataset).size(), 11U);
  EXPECT_FALSE(dataset.aligned);
}

}  // namespace
}  // namespace longshot
