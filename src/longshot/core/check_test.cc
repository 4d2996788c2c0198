// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/check.h"

#include <cmath>

#include <gtest/gtest.h>

namespace longshot {
namespace {

TEST(CheckRange, NamesTheFieldAndItsBounds) {
  check_range("blur", "a lens", 0.0, 0.0, 1.5);
  check_range("blur", "a lens", 1.5, 0.0, 1.5);
  try {
    check_range("blur", "a lens", 2.0, 0.0, 1.5);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "blur of a lens must be in [0, 1.5], not 2.");
  }
  EXPECT_THROW(check_range("blur", "a lens", std::nan(""), 0.0, 1.5), Error);
}

}  // namespace
}  // namespace longshot
