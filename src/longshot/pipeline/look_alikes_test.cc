// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/look_alikes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "longshot/pipeline/small_gallery_test.h"

namespace longshot {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class LookAlikesTest : public SmallGallery {
 protected:
  // The same photo with a little less light: another file, hardly another picture.
  static Vector again(Index person) { return (0.95 * face(person, 0)).reshaped(); }
};

TEST_F(LookAlikesTest, AFaceUnderAnotherNameIsRemarkedOn) {
  const GalleryStore gallery = make_gallery(6);
  LookAlikes looks(gallery, 1);
  const auto remarks = looks.remarks_on({{"anna.png", "Anna", again(3)}});
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].path, "anna.png");
  EXPECT_THAT(remarks[0].reason, AllOf(HasSubstr("looks like person_3"), HasSubstr("(score ")));
}

TEST_F(LookAlikesTest, AmongTheNewOnesTheSecondIs) {
  LookAlikes looks(make_gallery(0), 2);
  const auto remarks =
      looks.remarks_on({{"a.png", "Anna", face(3, 0).reshaped()}, {"b.png", "Ben", again(3)}});
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].path, "b.png");
  EXPECT_THAT(remarks[0].reason, HasSubstr("looks like Anna"));
}

TEST_F(LookAlikesTest, UnderTheirOwnNameNothingIsSaid) {
  const GalleryStore gallery = make_gallery(6);
  LookAlikes looks(gallery, 1);
  EXPECT_THAT(looks.remarks_on({{"3.png", name(3), again(3)}}), IsEmpty());
  EXPECT_THAT(looks.remarks_on({}), IsEmpty());
}

TEST(RemarkOnName, AFaceUnlikeTheOthersOfItsNameIsRemarkedOn) {
  const std::vector<std::string> people = {"Anna", "Ben"};
  EXPECT_THAT(*remark_on_name(Vector{{-35.0, -20.0}}, people, "Anna"),
              HasSubstr("unlike the other photos of Anna (score 0.01)"));
  EXPECT_EQ(remark_on_name(Vector{{-20.0, -35.0}}, people, "Anna"), std::nullopt);
  EXPECT_EQ(remark_on_name(Vector{{-35.0, -35.0}}, people, "Carla"), std::nullopt);
  EXPECT_EQ(remark_on_name(Vector(), {}, "Carla"), std::nullopt);
  // One photo that fits is enough.
  EXPECT_EQ(remark_on_name(Vector{{-35.0, 5.0}}, {"Anna", "Anna"}, "Anna"), std::nullopt);
}

TEST(RemarkOnName, WhoIsAlikeMustBeVeryMuchSoOrStandOut) {
  EXPECT_THAT(*remark_on_name(Vector{{3.0, 30.0}}, {"Anna", "Ben"}, "Carla"),
              HasSubstr("looks like Ben, who is enrolled too (score 0.99 among 2 people)"));
  EXPECT_EQ(remark_on_name(Vector{{3.0, 20.0}}, {"Anna", "Ben"}, "Carla"), std::nullopt);
  // The own photos are more alike still.
  EXPECT_EQ(remark_on_name(Vector{{33.0, 30.0}}, {"Anna", "Ben"}, "Anna"), std::nullopt);
  Vector many = Vector::LinSpaced(60, -10.0, -1.0);
  many(7) = 20.0;
  const std::vector<std::string> others(60, "others");
  EXPECT_TRUE(remark_on_name(many, others, "Carla").has_value());
  many = Vector::LinSpaced(60, -20.0, 15.0);
  many(7) = 20.0;
  EXPECT_EQ(remark_on_name(many, others, "Carla"), std::nullopt);
}

TEST(RemarkOnName, AmongManyPeopleTheSameLikenessSaysLess) {
  std::vector<std::string> people;
  for (int i = 0; i < 300; ++i) people.push_back(fmt::format("{}", i));
  Vector ratios = Vector::Zero(300);
  ratios(7) = 30.0;
  EXPECT_THAT(*remark_on_name(ratios, people, "Carla"), HasSubstr("(score 0.56 among 300 people)"));
  // Many photos of one person are one person.
  std::fill(people.begin() + 10, people.end(), "9");
  EXPECT_THAT(*remark_on_name(ratios, people, "Carla"), HasSubstr("(score 0.97 among 10 people)"));
}

TEST_F(LookAlikesTest, EnrollingSaysSo) {
  GalleryStore gallery = make_gallery(6);
  EnrolOptions options;
  options.force = true;
  const EnrolReport report =
      enrol(gallery, {input("anna/1.png", 0.95 * face(3, 0), "Anna")}, options);
  EXPECT_EQ(report.photos, 1);
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_THAT(report.warnings.back().reason, HasSubstr("looks like person_3"));
}

}  // namespace
}  // namespace longshot
