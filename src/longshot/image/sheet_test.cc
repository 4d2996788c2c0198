// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/sheet.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

TEST(ContactSheet, ArrangesRowByRow) {
  const std::vector<Image> images = {Image::Constant(2, 3, 0.1), Image::Constant(2, 3, 0.2),
                                     Image::Constant(2, 3, 0.3)};
  const Image sheet = contact_sheet(images, 2, 1, 0.9);
  Image expected = Image::Constant(7, 9, 0.9);
  expected.block(1, 1, 2, 3).setConstant(0.1);
  expected.block(1, 5, 2, 3).setConstant(0.2);
  expected.block(4, 1, 2, 3).setConstant(0.3);
  EXPECT_EQ(sheet, expected);
}

TEST(ContactSheet, IsNoWiderThanItsImages) {
  const Image sheet = contact_sheet({Image::Zero(2, 3)}, 10, 0);
  EXPECT_EQ(size_of(sheet), (Size{2, 3}));
}

TEST(ContactSheet, RefusesWhatCannotBeArranged) {
  EXPECT_THROW(contact_sheet({}, 2), Error);
  EXPECT_THROW(contact_sheet({Image::Zero(2, 3)}, 0), Error);
  EXPECT_THROW(contact_sheet({Image::Zero(2, 3)}, 1, -1), Error);
  EXPECT_THROW(contact_sheet({Image::Zero(2, 3), Image::Zero(3, 2)}, 1), Error);
}

}  // namespace
}  // namespace longshot
