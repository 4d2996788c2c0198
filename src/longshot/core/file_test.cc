// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "longshot/core/error.h"
#include "longshot/core/private_file.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

class File : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path folder_;
};

TEST_F(File, WriteThenReadGivesTheSameBytesAndNoTemporary) {
  const std::string bytes("a\0b\nc", 5);
  write_file(folder_ / "x", bytes);
  EXPECT_EQ(read_file(folder_ / "x"), bytes);
  write_file(folder_ / "x", "new");
  EXPECT_EQ(read_file(folder_ / "x"), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(File, ReadSaysWhatIsWrong) {
  const auto message = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message([&] { read_file(folder_ / "none"); }), testing::HasSubstr("No such file"));
  EXPECT_THAT(message([&] { read_file(folder_); }), testing::HasSubstr("is a folder"));
  write_file(folder_ / "big", "12345");
  EXPECT_THAT(message([&] { read_file(folder_ / "big", 4); }), testing::HasSubstr("limit of 4"));
}

TEST_F(File, FacesAreReadableByTheirOwnerOnly) {
  const auto mode = [&](const char* name) {
    struct stat status {};
    EXPECT_EQ(::stat((folder_ / name).c_str(), &status), 0);
    return status.st_mode & 0777U;
  };
  const mode_t before = ::umask(022);
  write_file(folder_ / "figures", "x");
  write_private_file(folder_ / "faces", "x");
  EXPECT_EQ(mode("figures"), 0644U);
  EXPECT_EQ(mode("faces"), 0600U);
  write_private_file(folder_ / "figures", "x");
  EXPECT_EQ(mode("figures"), 0600U);
  ::umask(before);
}

TEST_F(File, LinksStayLinks) {
  fs::create_directories(folder_ / "far");
  fs::create_symlink("far/file", folder_ / "link");
  write_file(folder_ / "link", "first");
  EXPECT_EQ(read_file(folder_ / "far/file"), "first");
  write_file(folder_ / "link", "second");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read_file(folder_ / "far/file"), "second");
  fs::create_symlink("round", folder_ / "round");
  EXPECT_THROW(write_file(folder_ / "round", "x"), Error);
}

TEST_F(File, FullDiskLeavesTheOldFile) {
  EXPECT_THROW(write_file("/dev/full", "x"), Error);
  EXPECT_THROW(write_file(folder_ / "no" / "such" / "folder", "x"), Error);
  EXPECT_THROW(write_file(folder_, "x"), Error);
  EXPECT_EQ(files(), 0U);
}

}  // namespace
}  // namespace longshot
