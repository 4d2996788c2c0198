// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/json_integer.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace longshot {
namespace {

std::optional<std::int64_t> integer_in(const char* text) {
  return json_integer(nlohmann::json::parse(text));
}

TEST(JsonInteger, IsANumberThatFits) {
  EXPECT_EQ(integer_in("7"), 7);
  EXPECT_EQ(integer_in("-7"), -7);
  EXPECT_EQ(integer_in("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
}

TEST(JsonInteger, AllElseIsNone) {
  for (const char* text : {"9223372036854775808", "1e72", "1.0", "true", "null", "\"7\"", "[7]"}) {
    EXPECT_EQ(integer_in(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace longshot
