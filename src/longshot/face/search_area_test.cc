// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/search_area.h"

#include <gtest/gtest.h>

namespace longshot {
namespace {

TEST(SearchArea, IsEverythingAtFirst) {
  const Box part = {-3.0, 5.0, 40.0, 20.0};
  EXPECT_EQ(SearchArea().within(part), part);
}

TEST(SearchArea, IsCutDownToTheSquaresThatAreWanted) {
  SearchArea::Squares wanted = SearchArea::Squares::Constant(5, 6, false);
  wanted(1, 2) = wanted(3, 3) = wanted(0, 5) = true;
  const SearchArea area(wanted, 8);
  EXPECT_EQ(area.within({0, 0, 40, 40}), (Box{16, 8, 16, 24}));
  EXPECT_EQ(area.within({0, 0, 20, 20}), (Box{16, 8, 8, 8}));
  EXPECT_EQ(area.within({0, 0, 47, 47}), (Box{16, 0, 32, 32}));
  EXPECT_FALSE(area.within({0, 0, 15, 39}));
}

// Beyond its border an image is continued by its last pixels.
TEST(SearchArea, WhatLiesBeyondBelongsToTheBorder) {
  SearchArea::Squares wanted = SearchArea::Squares::Constant(2, 2, false);
  wanted(0, 0) = true;
  const SearchArea area(wanted, 8);
  EXPECT_EQ(area.within({-30, -30, 20, 20}), (Box{0, 0, 8, 8}));
  EXPECT_FALSE(area.within({40, 40, 20, 20}));
}

}  // namespace
}  // namespace longshot
