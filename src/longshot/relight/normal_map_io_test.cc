// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/normal_map_io.h"

#include <cstdint>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/relight/face_shape.h"

namespace longshot {
namespace {

NormalMap example() {
  NormalMap map = normals_of_shape(mean_face_shape(), FaceFrame{}, {6, 5});
  map.covariance = Matrix::Random(6, 30);
  map.frame.aspect = 1.25;
  return map;
}

std::string decoding_error(std::string_view bytes) {
  try {
    decode_normal_map(bytes, "faces.normals");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(NormalMapIo, ReadsWhatItWrote) {
  const NormalMap map = example();
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "normal_map_io_test.normals";
  write_normal_map(path, map);
  const NormalMap read = read_normal_map(path);
  std::filesystem::remove(path);
  EXPECT_EQ(read.size, map.size);
  EXPECT_EQ(read.normals, map.normals);
  EXPECT_EQ(read.mask, map.mask);
  EXPECT_EQ(read.covariance, map.covariance);
  EXPECT_EQ(read.frame, map.frame);

  NormalMap plain = map;
  plain.covariance.resize(6, 0);
  EXPECT_EQ(decode_normal_map(encode_normal_map(plain), "plain").covariance.cols(), 0);
}

TEST(NormalMapIo, EveryCutIsRefused) {
  const std::string bytes = encode_normal_map(example());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(decoding_error(std::string_view(bytes).substr(0, size)), "") << size;
  }
  EXPECT_NE(decoding_error(bytes + "x"), "");
}

TEST(NormalMapIo, EveryChangedByteIsRefused) {
  const std::string bytes = encode_normal_map(example());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x40);
    EXPECT_NE(decoding_error(damaged), "") << i;
  }
}

TEST(NormalMapIo, MessagesTellTheReason) {
  std::string bytes = encode_normal_map(example());
  EXPECT_THAT(decoding_error("P5 6 5"), testing::HasSubstr("faces.normals is not a normal map"));
  bytes[8] = 3;
  EXPECT_THAT(decoding_error(bytes), testing::HasSubstr("version 3"));
  bytes[8] = 2;
  bytes[12] = 100;
  EXPECT_THAT(decoding_error(bytes), testing::HasSubstr("length"));
}

// As it was written before files had frames.
std::string version1(const NormalMap& map) {
  std::string bytes = encode_normal_map(map);
  bytes.erase(12, 8);              // the length
  bytes.resize(bytes.size() - 4);  // the checksum
  bytes[8] = 1;
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return bytes.append(reinterpret_cast<const char*>(&hash), sizeof(hash));
}

TEST(NormalMapIo, ReadsTheFirstVersion) {
  const NormalMap map = example();
  const std::string bytes = version1(map);
  const NormalMap read = decode_normal_map(bytes, "old");
  EXPECT_EQ(read.normals, map.normals);
  EXPECT_EQ(read.covariance, map.covariance);
  EXPECT_EQ(read.frame, map.frame);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_NE(decoding_error(std::string_view(bytes).substr(0, i)), "") << i;
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x40);
    EXPECT_NE(decoding_error(damaged), "") << i;
  }
}

TEST(NormalMapIo, BadMapIsNotWritten) {
  NormalMap map = example();
  map.mask[3] = 0.5;
  EXPECT_THROW(encode_normal_map(map), Error);
}

}  // namespace
}  // namespace longshot
