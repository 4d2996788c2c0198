// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/mat_layout.h"

#include "longshot/dataset/tree_test.h"

namespace longshot {
namespace {

using testing::HasSubstr;

class MatLayout : public TreeTest {
 protected:
  std::string message(const std::string& bytes) const {
    const std::filesystem::path path = add("x.mat", bytes);
    return error_of([&] { check_mat_layout(path); });
  }
  static std::string header(bool big_endian) {
    std::string bytes = "MATLAB 5.0 MAT-file";
    bytes.resize(124, ' ');
    return bytes + (big_endian ? std::string("\x01\x00MI", 4) : std::string("\x00\x01IM", 4));
  }
};

TEST_F(MatLayout, FollowsTheElementsInBothByteOrders) {
  const std::string little("\x0E\0\0\0\x08\0\0\0abcdefgh", 16);
  const std::string big("\0\0\0\x0F\0\0\0\x03xyz", 11);
  EXPECT_EQ(check_mat_layout(add("a.mat", header(false) + little + little)), 160U);
  EXPECT_EQ(check_mat_layout(add("b.mat", header(true) + big + big)), 150U);
  EXPECT_EQ(check_mat_layout(add("c.mat", header(false))), 128U);
  EXPECT_THAT(message(header(true) + little), HasSubstr("damaged"));
  EXPECT_THAT(message(header(false) + little + "abc"), HasSubstr("variable at byte 144"));
  EXPECT_THAT(message(header(false) + little.substr(0, 15)), HasSubstr("ends in the middle"));
  EXPECT_THAT(message(header(false) + std::string("\x03\0\0\0\0\0\0\0", 8)),
              HasSubstr("no variable at byte 128"));
}

TEST_F(MatLayout, KnowsOtherFilesByTheirHeader) {
  std::string hdf5 = "MATLAB 7.3 MAT-file";
  hdf5.resize(124, ' ');
  EXPECT_THAT(message(hdf5 + std::string("\x00\x02IM", 4)), HasSubstr("version 7.3"));
  EXPECT_THAT(message(std::string(200, '\0')), HasSubstr("not a MATLAB file of version 5 to 7"));
  EXPECT_THAT(message("short"), HasSubstr("shorter"));
  EXPECT_THAT(error_of([&] { check_mat_layout(root_ / "none"); }), HasSubstr("No such file"));
  EXPECT_NE(error_of([&] { check_mat_layout(root_); }), "");
}

}  // namespace
}  // namespace longshot
