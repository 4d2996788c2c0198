// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/block_checksum.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "longshot/gallery/database.h"

namespace longshot {
namespace {

std::uint64_t sum_of(std::string_view text, std::uint64_t seed = 0) {
  return block_checksum(bytes_of(text), seed);
}

TEST(BlockChecksum, NeverChanges) {
  EXPECT_EQ(sum_of(""), 0xC828A4C4BD6A1D74U);
  EXPECT_EQ(sum_of("The quick brown fox jumps over the lazy dog", 7), 0xEDDFFA9CD449765BU);
}

TEST(BlockChecksum, FindsEveryFlippedBitAndEveryLength) {
  std::string text;
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(seen.insert(sum_of(text)).second) << "zeros, " << i;
    text += '\0';
  }
  const std::uint64_t whole = sum_of(text);
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string other = text;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_NE(sum_of(other), whole) << bit;
  }
}

TEST(BlockChecksum, FindsWordsThatChangedPlacesAndTheSeed) {
  std::string text;
  for (int i = 0; i < 128; ++i) text += static_cast<char>(i);
  for (const std::size_t from : {std::size_t{0}, std::size_t{8}, std::size_t{32}}) {
    std::string other = text;
    std::swap_ranges(other.begin() + static_cast<std::ptrdiff_t>(from),
                     other.begin() + static_cast<std::ptrdiff_t>(from) + 8, other.begin() + 64);
    EXPECT_NE(sum_of(other), sum_of(text)) << from;
  }
  EXPECT_NE(sum_of(text, 1), sum_of(text, 2));
}

}  // namespace
}  // namespace longshot
