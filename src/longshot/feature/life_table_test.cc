// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/life_table.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

template <typename Number>
void put(std::string& bytes, std::initializer_list<Number> values) {
  for (const Number value : values) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
}

// Two directions in one cell, one direction kept, two sizes.
std::string small_table() {
  std::string bytes = "LSLIFE02";
  put<std::uint32_t>(bytes, {1, 12, 10, 2, 3});
  put<float>(bytes, {0.25F, 1.0F});
  put<std::uint32_t>(bytes, {1, 1, 1});
  put<std::uint32_t>(bytes, {2, 2, 1, 2});
  put<float>(bytes, {0.01F, 0.5F});
  put<std::int8_t>(bytes, {100, 0, 0, -2});
  for (const std::uint32_t side : {7U, 20U}) {
    put<std::uint32_t>(bytes, {side, side});
    put<float>(bytes, {0.5F, -0.5F});
    put<float>(bytes, {4.0F});
    put<float>(bytes, {0.1F});
    put<std::int8_t>(bytes, {30, -20});
  }
  return bytes;
}

TEST(LifeTable, ReadsWhatIsWritten) {
  const LifeTable table = decode_life_table(small_table());
  EXPECT_EQ(table.gradients.grid, (Size{12, 10}));
  EXPECT_EQ(table.gradients.window, 3);
  EXPECT_EQ(table.gradients.floor, 0.25);
  ASSERT_EQ(table.entries.size(), 2U);
  EXPECT_NEAR(table.basis(0, 0), 1.0, 1e-6);
  EXPECT_EQ(table.basis(0, 1), 0.0);
  EXPECT_EQ(table.basis(1, 1), -1.0);
  EXPECT_EQ(table.entries[1].size, (Size{20, 20}));
  EXPECT_EQ(table.entries[1].mean(1), -0.5);
  EXPECT_EQ(table.entries[1].between(0), 4.0);
  EXPECT_NEAR(table.entries[1].directions(0, 0), 3.0, 1e-6);
  EXPECT_NEAR(table.entries[1].directions(0, 1), -2.0, 1e-6);
}

TEST(LifeTable, TheNearestSizeIsTaken) {
  const LifeTable table = decode_life_table(small_table());
  EXPECT_EQ(table.nearest({7, 6}).size.rows, 7);
  EXPECT_EQ(table.nearest({11, 12}).size.rows, 7);
  EXPECT_EQ(table.nearest({12, 12}).size.rows, 20);
  EXPECT_EQ(table.nearest({48, 40}).size.rows, 20);
}

TEST(LifeTable, DamageIsRefused) {
  const std::string whole = small_table();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(decode_life_table(whole.substr(0, length)), Error) << length;
  }
  EXPECT_THROW(decode_life_table(whole + "x"), Error);
  std::string other = whole;
  other[7] = '3';
  EXPECT_THROW(decode_life_table(other), Error);
  std::string huge = whole;
  huge[47] = '\x7f';  // the number of kept directions
  EXPECT_THROW(decode_life_table(huge), Error);
}

TEST(LifeTable, TheBuiltInOnesAreUsable) {
  for (const LifeTable* table : {&gradient_table(), &network_table()}) {
    const Index kept = table->basis.rows();
    EXPECT_LT((table->basis * table->basis.transpose() - Matrix::Identity(kept, kept)).norm(),
              0.05 * static_cast<double>(kept));
    for (const LifeTable::Entry& entry : table->entries) EXPECT_GT(entry.between.maxCoeff(), 1.0);
  }
  EXPECT_EQ(gradient_table().features, LifeFeatures::kGradients);
  EXPECT_EQ(network_table().features, LifeFeatures::kNetwork);
}

}  // namespace
}  // namespace longshot
