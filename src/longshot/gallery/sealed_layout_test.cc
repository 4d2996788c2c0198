// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/sealed_layout.h"

#include <gtest/gtest.h>

namespace longshot {
namespace {

TEST(SealedLayout, PagesStandBehindTheHeader) {
  const SealedPiece piece = sealed_piece(SealedPart::kDatabase, 2 * kPageBytes + 5);
  EXPECT_EQ(piece.begin, 2 * kPageBytes);
  EXPECT_EQ(piece.sealed_begin, 4096 + 2 * kPageBytes);
  EXPECT_EQ(piece.sealed_size, kPageBytes);
  EXPECT_EQ(piece.content(), kPageBytes - 40);
}

TEST(SealedLayout, FramesOfTheLogGrowByTheSealOfTheirHeader) {
  const SealedPiece header = sealed_piece(SealedPart::kLog, 32 + 24 + kPageBytes);
  EXPECT_EQ(header.size, 24);
  EXPECT_EQ(header.sealed_begin, 72 + 64 + kPageBytes);
  EXPECT_FALSE(header.is_page);
  const SealedPiece page = sealed_piece(SealedPart::kLog, header.end());
  EXPECT_EQ(page.size, kPageBytes);
  EXPECT_EQ(page.sealed_begin, header.sealed_begin + 64);
  EXPECT_TRUE(page.is_page);
}

TEST(SealedLayout, PiecesFollowEachOther) {
  for (const SealedPart part : {SealedPart::kDatabase, SealedPart::kLog, SealedPart::kJournal}) {
    SealedPiece last = sealed_piece(part, 0);
    for (int i = 0; i < 10; ++i) {
      const SealedPiece next = sealed_piece(part, last.end());
      EXPECT_EQ(next.begin, last.end());
      EXPECT_EQ(next.sealed_begin, last.sealed_begin + last.sealed_size);
      EXPECT_EQ(plain_size(part, next.sealed_begin), next.begin);
      EXPECT_EQ(plain_size(part, next.sealed_begin + next.sealed_size - 1), next.begin);
      EXPECT_EQ(sealed_size(part, next.begin), next.sealed_begin);
      EXPECT_EQ(sealed_size(part, next.begin + 1), next.sealed_begin + next.sealed_size);
      last = next;
    }
  }
}

TEST(SealedLayout, AnEmptyDatabaseIsItsHeader) {
  EXPECT_EQ(plain_size(SealedPart::kDatabase, 0), 0);
  EXPECT_EQ(plain_size(SealedPart::kDatabase, 4096), 0);
  EXPECT_EQ(sealed_size(SealedPart::kDatabase, 0), 4096);
  EXPECT_EQ(sealed_size(SealedPart::kLog, 0), 0);
}

}  // namespace
}  // namespace longshot
