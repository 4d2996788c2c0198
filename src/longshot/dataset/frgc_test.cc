// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/frgc.h"

#include "longshot/dataset/tree_test.h"

namespace longshot {
namespace {

using testing::HasSubstr;

class Frgc : public TreeTest {
 protected:
  Dataset read(std::string_view text) const { return read_frgc(add("sets/target.xml", text)); }
};

TEST_F(Frgc, ReadsASignatureSet) {
  add("sets/Fall2003/02463d452.jpg");
  add("nd1/Spring2003/04200d1.ppm");
  add("sets/iris.tiff");
  const Dataset dataset = read(R"(<?xml version="1.0" encoding="UTF-8"?>
    <biometric-signature-set xmlns="http://www.bee-biometrics.org/schemas/sigset/0.1">
      <biometric-signature name="nd1S02463">
        <presentation name="nd1R1" modality="Face" file-name="Fall2003/02463d452.jpg"
                      session="Fall2003" environment="controlled"/>
        <presentation name="nd1R2" modality="iris" file-name="iris.tiff"/>
      </biometric-signature>
      <biometric-signature name="nd1S04200">
        <presentation name="nd1R3" modality="face" file-name="Spring2003\04200d1.ppm"/>
      </biometric-signature>
    </biometric-signature-set>)");
  EXPECT_TRUE(dataset.rejections.empty());
  ASSERT_EQ(dataset.samples.size(), 2U);
  EXPECT_EQ(dataset.samples[0].path, root_ / "sets/Fall2003/02463d452.jpg");
  EXPECT_EQ(dataset.samples[0].subject, "nd1S02463");
  EXPECT_EQ(dataset.samples[0].session, "Fall2003");
  EXPECT_EQ(dataset.samples[0].condition, "controlled");
  EXPECT_EQ(dataset.samples[1].path, root_ / "nd1/Spring2003/04200d1.ppm");
  EXPECT_EQ(dataset.samples[1].session, "");
}

TEST_F(Frgc, ToleratesPrefixesAndComplexBiometrics) {
  add("sets/a.jpg");
  const Dataset dataset = read(R"(
    <s:biometric-signature-set xmlns:s="x">
      <s:biometric-signature s:name="anna">
        <s:complex-biometric name="group"><s:presentation file-name="a.jpg"/></s:complex-biometric>
      </s:biometric-signature>
      <s:complex-biometric name="bob"><s:presentation file-name="a.jpg"/></s:complex-biometric>
    </s:biometric-signature-set>)");
  ASSERT_EQ(dataset.samples.size(), 2U);
  EXPECT_EQ(dataset.samples[0].subject, "anna");
  EXPECT_EQ(dataset.samples[1].subject, "bob");
}

TEST_F(Frgc, RejectsSinglePresentations) {
  add("sets/a.jpg");
  add("sets/empty.jpg", "");
  const Dataset dataset = read(R"(<biometric-signature-set>
      <biometric-signature name="anna">
        <presentation name="one" file-name="none.jpg"/>
        <presentation name="two" file-name="empty.jpg"/>
        <presentation name="three"/>
        <presentation name="four" file-name="a.jpg"/>
      </biometric-signature>
      <biometric-signature><presentation name="five" file-name="a.jpg"/></biometric-signature>
    </biometric-signature-set>)");
  EXPECT_EQ(dataset.samples.size(), 1U);
  ASSERT_EQ(dataset.rejections.size(), 4U);
  EXPECT_THAT(dataset.rejections[0].path, testing::EndsWith("target.xml: one"));
  EXPECT_THAT(dataset.rejections[0].reason,
              HasSubstr("none.jpg cannot be used: The file does not"));
  EXPECT_THAT(dataset.rejections[1].reason, HasSubstr("is empty"));
  EXPECT_THAT(dataset.rejections[2].reason, HasSubstr("no file-name"));
  EXPECT_THAT(dataset.rejections[3].reason, HasSubstr("has no name"));
}

TEST_F(Frgc, NeverResolvesEntities) {
  add("sets/secret.txt", "a.jpg");
  add("sets/a.jpg");
  const Dataset dataset = read(R"(<!DOCTYPE x [<!ENTITY e SYSTEM "secret.txt">
      <!ENTITY i "a.jpg">]>
    <biometric-signature-set><biometric-signature name="anna">
      <presentation file-name="&e;"/><presentation file-name="&i;"/>
    </biometric-signature></biometric-signature-set>)");
  EXPECT_TRUE(dataset.samples.empty());
  ASSERT_EQ(dataset.rejections.size(), 2U);
  EXPECT_THAT(dataset.rejections[0].reason, HasSubstr("&e;"));
}

TEST_F(Frgc, SaysWhatIsWrongWithTheFile) {
  const auto message = [&](std::string_view text) { return error_of([&] { read(text); }); };
  EXPECT_THAT(message(""), HasSubstr("not valid XML"));
  EXPECT_THAT(message("<biometric-signature-set><a>"), HasSubstr("not valid XML"));
  EXPECT_THAT(message("\x01\x02\x03"), HasSubstr("not valid XML"));
  EXPECT_THAT(message("<html/>"), HasSubstr("not a signature set"));
  EXPECT_THAT(error_of([&] { read_frgc(root_ / "none.xml"); }), HasSubstr("No such file"));
}

TEST_F(Frgc, DeepNestingIsNoDanger) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "<a>";
  text += "<presentation file-name=\"a.jpg\"/>";
  for (int i = 0; i < 200000; ++i) text += "</a>";
  EXPECT_THAT(error_of([&] { read(text); }), HasSubstr("not a signature set"));
}

}  // namespace
}  // namespace longshot
