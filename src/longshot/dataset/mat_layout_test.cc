// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/mat_layout.h"

#include <zlib.h>

#include "longshot/core/random.h"
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

  std::string word(std::uint32_t value) const {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> 8 * (big_endian_ ? 3 - i : i));
    return bytes;
  }
  std::string element(std::uint32_t type, const std::string& data) const {
    return word(type) + word(static_cast<std::uint32_t>(data.size())) + data;
  }
  std::string header() const {
    std::string bytes = "MATLAB 5.0 MAT-file";
    bytes.resize(124, ' ');
    return bytes + (big_endian_ ? std::string("\x01\x00MI", 4) : std::string("\x00\x01IM", 4));
  }
  // A double array of rows x 1, named fea, with those bytes of data of type miUINT8.
  std::string matrix(std::uint32_t rows, const std::string& data,
                     std::uint32_t matlab_class = 6) const {
    const std::string name =
        big_endian_ ? std::string("\0\3\0\1fea\0", 8) : std::string("\1\0\3\0fea\0", 8);
    return element(14, element(6, word(matlab_class) + word(0)) + element(5, word(rows) + word(1)) +
                           name + element(2, data));
  }
  std::string packed(const std::string& bytes) const {
    std::string zipped(compressBound(bytes.size()), '\0');
    uLongf size = zipped.size();
    EXPECT_EQ(compress(reinterpret_cast<Bytef*>(zipped.data()), &size,
                       reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()),
              Z_OK);
    return element(15, zipped.substr(0, size));
  }

  bool big_endian_ = false;
};

TEST_F(MatLayout, FollowsTheElementsInBothByteOrders) {
  for (const bool big : {false, true}) {
    big_endian_ = big;
    const std::string plain = matrix(8, "abcdefgh");
    const std::string bytes = header() + plain + packed(plain) + plain;
    EXPECT_EQ(check_mat_layout(add("x.mat", bytes)), bytes.size());
    EXPECT_EQ(check_mat_layout(add("x.mat", header())), 128U);
    EXPECT_THAT(message(header() + plain + "abc"), HasSubstr("ends in the middle"));
    EXPECT_THAT(message(header() + plain.substr(0, 60)), HasSubstr("ends in the middle"));
  }
  const std::string big_header = header();
  big_endian_ = false;
  EXPECT_THAT(message(big_header + matrix(8, "abcdefgh")), HasSubstr("damaged"));
}

TEST_F(MatLayout, ComparesTheDimensionsWithTheData) {
  EXPECT_EQ(message(header() + matrix(8, "abcdefgh")), "");
  EXPECT_EQ(message(header() + matrix(0, "")), "");
  for (const std::uint32_t rows : {9U, 1000000U, 0xFFFFFFFFU}) {
    EXPECT_THAT(message(header() + matrix(rows, "abcdefgh")), HasSubstr("byte 128 cannot be read"));
    EXPECT_THAT(message(header() + packed(matrix(rows, "abcdefgh"))), HasSubstr("cannot be read"));
    EXPECT_EQ(message(header() + matrix(rows, "abcdefgh", 1)), "") << "a cell array has no numbers";
  }
}

TEST_F(MatLayout, ChecksThatPackedDataUnpack) {
  Random random(1);
  std::string noise;
  for (int i = 0; i < 100000; ++i) noise += static_cast<char>(random.bits());
  const std::string whole = packed(matrix(100000, noise));
  EXPECT_EQ(message(header() + whole), "");
  for (const std::size_t from_end : {1U, 2U, 3U, 4U, 1000U, 1001U, 20000U}) {
    std::string damaged = whole;
    char& byte = damaged[damaged.size() - from_end];
    byte = static_cast<char>(byte ^ 0x10);
    EXPECT_THAT(message(header() + damaged), HasSubstr("damaged")) << from_end;
  }
  EXPECT_THAT(message(header() + element(15, "")), HasSubstr("damaged"));
  EXPECT_THAT(message(header() + element(15, whole.substr(8, 20))), HasSubstr("damaged"));
  EXPECT_THAT(message(header() + packed("short")), HasSubstr("damaged"));
  EXPECT_THAT(message(header() + element(3, "abcdefgh")), HasSubstr("damaged"));
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
