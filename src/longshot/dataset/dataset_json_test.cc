// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/dataset_json.h"

#include "longshot/dataset/tree_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

class DatasetJson : public TreeTest {
 protected:
  std::optional<FaceFrame> read(std::string_view text) const {
    return read_dataset_json(add("dataset.json", text));
  }
};

TEST_F(DatasetJson, AspectIsForPixelsThatAreNotSquare) {
  EXPECT_EQ(read(R"({"aligned": true, "aspect": 1.3})")->aspect, 1.3);
  EXPECT_THROW(read(R"({"aligned": true, "aspect": "wide"})"), Error);
  EXPECT_THROW(read(R"({"aligned": true, "aspect": -1})"), Error);
}

TEST_F(DatasetJson, ReadsTheFrame) {
  const std::optional<FaceFrame> frame =
      read(R"({"aligned": true, "eyes": [0.27, 0.23, 0.74, 0.25], "note": [1]})");
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->eyes, (Eyes{{0.27, 0.23}, {0.74, 0.25}}));
  EXPECT_EQ(read(R"({"aligned": true})"), (FaceFrame{FaceFrame().eyes, kSquarePixels}));
  EXPECT_FALSE(read(R"({"aligned": false, "eyes": [0.27, 0.23, 0.74, 0.25]})"));
}

TEST_F(DatasetJson, SaysWhatIsWrong) {
  const auto message = [&](std::string_view text) { return error_of([&] { read(text); }); };
  EXPECT_THAT(message(""), testing::HasSubstr("not valid JSON"));
  EXPECT_THAT(message("{\"aligned\": tru"), testing::HasSubstr("not valid JSON"));
  EXPECT_THAT(message(R"({"aligned": true, "eyes": [1e999, 0, 0, 0]})"),
              testing::HasSubstr("not valid JSON"));
  EXPECT_THAT(message("[]"), testing::HasSubstr("JSON object"));
  EXPECT_THAT(message("{}"), testing::HasSubstr("\"aligned\""));
  EXPECT_THAT(message(R"({"aligned": 1})"), testing::HasSubstr("\"aligned\""));
  for (const char* eyes : {"[]", "[0.2, 0.2, 0.8]", "\"x\"", "[0.2, 0.2, 0.8, null]", "{}"}) {
    EXPECT_THAT(message(fmt::format(R"({{"aligned": true, "eyes": {}}})", eyes)),
                testing::HasSubstr("four numbers"));
  }
  const std::string swapped = message(R"({"aligned": true, "eyes": [0.8, 0.2, 0.2, 0.2]})");
  EXPECT_THAT(swapped, testing::HasSubstr("dataset.json"));
  EXPECT_THAT(message(R"({"aligned": true, "eyes": [48, 50, 90, 50]})"),
              testing::HasSubstr("dataset.json"));
}

TEST_F(DatasetJson, AppliesToTheFoldersBelow) {
  add("dataset.json", R"({"aligned": true, "eyes": [0.2, 0.3, 0.8, 0.3]})");
  add("anna/one/a.jpg");
  add("anna/one/two/a.jpg");
  const FaceFrame frame{{{0.2, 0.3}, {0.8, 0.3}}, kSquarePixels};
  for (const char* folder : {"", "anna", "anna/", "anna/one", "anna/one/../one"}) {
    EXPECT_EQ(aligned_frame(root_ / folder), frame) << folder;
  }
  EXPECT_FALSE(aligned_frame(root_ / "anna/one/two"));
  EXPECT_EQ(aligned_frame(root_ / "anna/one/two", FaceFrame()), FaceFrame());
}

TEST_F(DatasetJson, TheNearestFileDecides) {
  add("dataset.json", R"({"aligned": true})");
  add("anna/dataset.json", R"({"aligned": false})");
  EXPECT_FALSE(aligned_frame(root_ / "anna", FaceFrame()));
  EXPECT_EQ(aligned_frame(root_), (FaceFrame{FaceFrame().eyes, kSquarePixels}));
}

}  // namespace
}  // namespace longshot
