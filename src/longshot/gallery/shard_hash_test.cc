// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/shard_hash.h"

#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace longshot {
namespace {

// Who was put into a shard by one version must be found there by all later ones.
TEST(ShardHash, StaysAsItIs) {
  EXPECT_EQ(name_hash("Ada"), 0x99a563ab2f6e21e9ULL);
  std::vector<Index> shards;
  for (const char* name : {"Ada", "Bo", "Čeněk", "person_000123"}) {
    shards.push_back(shard_of(name, 5));
  }
  EXPECT_EQ(shards, (std::vector<Index>{0, 2, 4, 1}));
}

TEST(ShardHash, SpreadsEvenly) {
  std::vector<Index> counts(8, 0);
  for (int i = 0; i < 8000; ++i) {
    ++counts[static_cast<std::size_t>(shard_of(fmt::format("p{}", i), 8))];
  }
  for (const Index count : counts) {
    EXPECT_GT(count, 850);
    EXPECT_LT(count, 1150);
  }
}

TEST(ShardHash, OneMoreShardTakesItsShareAndMovesNobodyElse) {
  Index moved = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::string name = fmt::format("p{}", i);
    const Index after = shard_of(name, 6);
    if (after == shard_of(name, 5)) continue;
    EXPECT_EQ(after, 5);
    ++moved;
  }
  EXPECT_GT(moved, 850);
  EXPECT_LT(moved, 1150);
}

}  // namespace
}  // namespace longshot
