// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/drawing.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

constexpr Colour kGreen = {0.0, 1.0, 0.0};

ColorImage grey_picture(Size size) {
  return enlarged(Image::Constant(size.rows, size.cols, 0.5), 1);
}

bool is_green(const ColorImage& picture, Index row, Index col) {
  return picture.red(row, col) == 0.0 && picture.green(row, col) == 1.0 &&
         picture.blue(row, col) == 0.0;
}

Index changed_pixels(const ColorImage& picture) {
  return (picture.green.array() != 0.5 || picture.red.array() != 0.5).count();
}

TEST(Drawing, ABoxIsAnOutlineWhereItShouldBe) {
  ColorImage picture = grey_picture({20, 30});
  draw_box(picture, {5.0, 4.0, 10.0, 8.0}, kGreen, 1);
  EXPECT_TRUE(is_green(picture, 4, 5));
  EXPECT_TRUE(is_green(picture, 4, 14));
  EXPECT_TRUE(is_green(picture, 11, 5));
  EXPECT_TRUE(is_green(picture, 11, 14));
  EXPECT_EQ(picture.green(7, 9), 0.5);
  EXPECT_EQ(picture.green(3, 5), 0.5);
  EXPECT_EQ(changed_pixels(picture), 2 * 10 + 2 * 6);
}

TEST(Drawing, WhatLiesOutsideIsNotDrawn) {
  ColorImage picture = grey_picture({20, 30});
  draw_box(picture, {-5.0, -5.0, 10.0, 10.0}, kGreen, 1);
  EXPECT_EQ(changed_pixels(picture), 9);  // of its lower and its right side
  draw_box(picture, {100.0, 100.0, 5.0, 5.0}, kGreen);
  draw_text(picture, 500, -900, "nobody sees this", kGreen);
  EXPECT_EQ(changed_pixels(picture), 9);
  const double none = std::numeric_limits<double>::quiet_NaN();
  draw_box(picture, {none, none, none, 1e300}, kGreen);
  EXPECT_TRUE(picture.green.allFinite());
}

TEST(Drawing, TextHasOneMarkForEachCharacterThatHasNoGlyph) {
  EXPECT_EQ(drawable("Jos\xC3\xA9 \xE6\x9D\x8E"), "Jos? ?");
  EXPECT_EQ(drawable("a\nb\x1B\x7F\xFFz"), "a?b???z");
  EXPECT_EQ(drawable(""), "");
}

TEST(Drawing, TextIsCutToItsRoom) {
  const std::string name(200, 'W');
  const std::string text = cut_to_width(name, 100);
  EXPECT_LE(text_width(text), 100);
  EXPECT_THAT(text, testing::EndsWith(".."));
  EXPECT_EQ(cut_to_width("Ada", 100), "Ada");
  EXPECT_EQ(cut_to_width(name, 0), "");
}

TEST(Drawing, LettersFitTheirLine) {
  ColorImage picture = grey_picture({60, 200});
  draw_text(picture, 20, 10, "Agjpqy_|", kGreen);
  EXPECT_GT(changed_pixels(picture), 50);
  const auto untouched = [&](Index row, Index rows) {
    return (picture.green.middleRows(row, rows).array() == 0.5).all();
  };
  EXPECT_TRUE(untouched(0, 20));
  EXPECT_TRUE(untouched(20 + kTextHeight, 60 - 20 - kTextHeight));
}

TEST(Drawing, SmallPicturesAreEnlargedAndLargeOnesAreNot) {
  EXPECT_EQ(times_to_read({1080, 1920}), 1);
  EXPECT_EQ(times_to_read({480, 640}), 1);
  EXPECT_EQ(times_to_read({240, 426}), 2);
  EXPECT_EQ(times_to_read({12, 10}), 54);
  const std::vector<FaceMark> small = {{{0.0, 0.0, 9.0, 9.0}, 1, "", kGreen}};
  EXPECT_EQ(times_to_read({256, 320}, small), 5);
  EXPECT_EQ(times_to_read({500, 600}, small), 2);
  EXPECT_EQ(times_to_read({1080, 1920}, small), 1);
  Image image(1, 2);
  image << 0.0, 1.0;
  const ColorImage large = enlarged(image, 3);
  EXPECT_EQ(size_of(large.red), (Size{3, 6}));
  EXPECT_EQ(large.blue(2, 2), 0.0);
  EXPECT_EQ(large.blue(0, 3), 1.0);
  EXPECT_THROW(enlarged(image, 0), Error);
}

// Black plates on a grey picture: whole, inside, and as many as there are marks.
TEST(Drawing, NamesStayInThePictureWhereverTheFaceIs) {
  const Image frame = Image::Constant(100, 160, 0.5);
  for (const Box& box : {Box{-20.0, -20.0, 30.0, 30.0}, Box{150.0, 90.0, 30.0, 30.0},
                         Box{150.0, -10.0, 30.0, 200.0}, Box{60.0, 40.0, 20.0, 20.0}}) {
    const std::string text = "somebody 0.93";
    const ColorImage picture = marked(frame, {{box, 1, text, kGreen}}, 1);
    ASSERT_EQ(size_of(picture.red), size_of(frame));
    const Index plate = (picture.blue.array() == 0.0 && picture.green.array() == 0.0).count();
    EXPECT_GT(plate, kTextHeight * text_width(text) / 2) << box.x << "," << box.y;
  }
}

TEST(Drawing, NamesDoNotHideEachOther) {
  const Image frame = Image::Constant(120, 200, 0.5);
  const Box box = {50.0, 50.0, 20.0, 20.0};
  const auto black = [&](const std::vector<FaceMark>& marks) {
    const ColorImage picture = marked(frame, marks, 1);
    return (picture.red.array() == 0.0 && picture.blue.array() == 0.0).count();
  };
  const Index one = black({{box, 1, "anna 0.90", kGreen}});
  EXPECT_GT(black({{box, 1, "anna 0.90", kGreen}, {box, 1, "anna 0.90", kGreen}}),
            one + kTextHeight * text_width("anna 0.90") / 2);
}

TEST(Drawing, InACrowdNamesGiveWayToFaces) {
  std::vector<FaceMark> marks;
  for (Index k = 0; k < 25; ++k) {
    const Box box = {20.0 + 40.0 * static_cast<double>(k % 5),
                     30.0 + 40.0 * static_cast<double>(k / 5), 20.0, 20.0};
    marks.push_back({box, k + 1, "somebody with a long name 0.90", kGreen});
  }
  const ColorImage picture = marked(Image::Constant(240, 230, 0.5), marks, 1);
  Index plates = 0;
  for (const FaceMark& mark : marks) {
    const auto row = static_cast<Index>(mark.box.y);
    const auto col = static_cast<Index>(mark.box.x);
    EXPECT_TRUE((picture.green.block(row + 2, col + 2, 16, 16).array() == 0.5).all())
        << mark.number;
    plates += picture.red(row - 1, col + 1) == 0.0 || picture.red(row + 37, col + 1) == 0.0 ? 1 : 0;
  }
  EXPECT_EQ(plates, 25);
}

TEST(Drawing, BoxesGrowWithThePicture) {
  const ColorImage picture =
      marked(Image::Constant(10, 10, 0.5), {{{2.0, 3.0, 4.0, 4.0}, 1, "", kGreen}}, 8);
  EXPECT_TRUE(is_green(picture, 24, 16));
  EXPECT_TRUE(is_green(picture, 55, 47));
  EXPECT_EQ(picture.green(40, 30), 0.5);
}

}  // namespace
}  // namespace longshot
