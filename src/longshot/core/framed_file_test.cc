// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/framed_file.h"

#include <limits>

#include <gmock/gmock.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

using testing::HasSubstr;

constexpr FileFormat kFormat = {"LSTEST", 2, "a test file", "of longshot", 1000};

std::string error_of(std::string_view bytes) {
  try {
    unframe_file(kFormat, bytes, "some.file");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(FramedFile, GivesItsContentBack) {
  const std::string bytes = frame_file(kFormat, "content");
  const Unframed unframed = unframe_file(kFormat, bytes, "some.file");
  EXPECT_EQ(unframed.version, 2U);
  EXPECT_EQ(unframed.content, "content");
  EXPECT_EQ(unframe_file(kFormat, frame_file({"LSTEST", 1, "", "", 1000}, ""), "old").version, 1U);
}

TEST(FramedFile, EveryCutAndEveryChangedByteIsRefused) {
  const std::string bytes = frame_file(kFormat, "content");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_NE(error_of(std::string_view(bytes).substr(0, i)), "") << i;
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x20);
    EXPECT_NE(error_of(damaged), "") << i;
  }
  EXPECT_THAT(error_of(bytes + "x"), HasSubstr("its length does not fit its header"));
}

TEST(FramedFile, MessagesTellTheReason) {
  EXPECT_EQ(error_of("P5 6 5"), "some.file is not a test file of longshot.");
  std::string bytes = frame_file(kFormat, "content");
  bytes[6] = 3;
  EXPECT_EQ(error_of(bytes),
            "some.file is a test file of version 3, but this longshot reads up to version 2.");
  bytes[6] = 2;
  bytes[20] = 'x';
  EXPECT_EQ(error_of(bytes), "some.file is damaged: its checksum is wrong.");
  EXPECT_THROW(frame_file(kFormat, std::string(1000, 'x')), Error);
}

TEST(ByteReader, GivesBackWhatWasWritten) {
  ByteWriter writer;
  Matrix values(2, 3);
  values << 1, 2, 3, 4, 5, 6;
  writer.number(std::uint64_t{7});
  writer.text("text");
  writer.matrix(values);
  writer.matrix(values.col(1));
  writer.values(values);
  writer.number(0.5);
  writer.count(1);
  const std::string bytes = writer.take();
  ByteReader reader(bytes, "it");
  EXPECT_EQ(reader.number<std::uint64_t>(), 7U);
  EXPECT_EQ(reader.text(4), "text");
  EXPECT_EQ(reader.matrix(), values);
  EXPECT_EQ(reader.vector(), values.col(1));
  EXPECT_EQ(reader.values(2, 3), values);
  EXPECT_EQ(reader.finite(), 0.5);
  EXPECT_TRUE(reader.flag());
  reader.finish();
  EXPECT_THROW(reader.number<char>(), Error);
}

TEST(ByteReader, RefusesWhatDoesNotFit) {
  ByteWriter writer;
  writer.count(3);
  writer.number(std::numeric_limits<double>::infinity());
  const std::string bytes = writer.take();
  EXPECT_THROW(ByteReader(bytes, "it").count(2), Error);
  EXPECT_THROW(ByteReader(bytes, "it").text(2), Error);
  EXPECT_THROW(ByteReader(bytes + bytes, "it").values(3, 2), Error);
  EXPECT_THROW(ByteReader(bytes, "it").values(std::uint64_t{1} << 33, 1), Error);
  EXPECT_THROW(ByteReader(bytes, "it").finish(), Error);
  EXPECT_THROW(ByteReader(bytes.substr(4), "it").finite(), Error);
}

}  // namespace
}  // namespace longshot
