// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/erasing_vfs.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace longshot {
namespace {

using Page = std::vector<unsigned char>;

// A page of 512 bytes 0xEE whose B-tree header, at `header`, names two cells that begin at 500.
Page page_of(unsigned char kind, std::size_t header) {
  Page page(512, 0xEE);
  const Page fields = {kind, 0, 0, 0, 2, 500 >> 8, 500 & 0xff, 0};
  std::ranges::copy(fields, page.begin() + static_cast<std::ptrdiff_t>(header));
  return page;
}

// First and one past the last zero that erasing made.
std::pair<std::size_t, std::size_t> erased(const Page& before, bool first_page) {
  Page after = before;
  erase_unused(after, first_page);
  std::size_t begin = 0;
  while (begin < after.size() && after[begin] == before[begin]) ++begin;
  std::size_t end = begin;
  while (end < after.size() && after[end] == 0) ++end;
  EXPECT_TRUE(std::equal(after.begin() + static_cast<std::ptrdiff_t>(end), after.end(),
                         before.begin() + static_cast<std::ptrdiff_t>(end)));
  return {begin, end};
}

TEST(ErasingVfs, ErasesBetweenPointersAndCells) {
  using Range = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(erased(page_of(13, 0), false), (Range{8 + 4, 500}));         // table leaf
  EXPECT_EQ(erased(page_of(10, 0), false), (Range{8 + 4, 500}));         // index leaf
  EXPECT_EQ(erased(page_of(5, 0), false), (Range{12 + 4, 500}));         // table interior
  EXPECT_EQ(erased(page_of(2, 0), false), (Range{12 + 4, 500}));         // index interior
  EXPECT_EQ(erased(page_of(13, 100), true), (Range{100 + 8 + 4, 500}));  // first page
}

TEST(ErasingVfs, LeavesOtherPagesAndNonsenseAlone) {
  std::vector<Page> pages = {page_of(0, 0), page_of(1, 0), page_of(7, 0)};
  Page too_many_cells = page_of(13, 0);
  too_many_cells[3] = 0xff;
  Page cells_beyond_the_page = page_of(13, 0);
  cells_beyond_the_page[5] = 0x7f;
  pages.push_back(too_many_cells);
  pages.push_back(cells_beyond_the_page);
  for (const Page& page : pages) {
    Page after = page;
    erase_unused(after, false);
    EXPECT_EQ(after, page);
  }
}

}  // namespace
}  // namespace longshot
