// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"

namespace longshot {

// A folder of its own for each test, removed afterwards.
class TreeTest : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    root_ = std::filesystem::path(testing::TempDir()) /
            fmt::format("longshot_{}_{}_{}", ::getpid(), test.test_suite_name(), test.name()) /
            "set" / "root";
    std::filesystem::create_directories(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_.parent_path().parent_path()); }

  // Writes root/name and the folders above it. The readers look at names and sizes only, so that
  // one byte is enough for an image.
  std::filesystem::path add(const std::filesystem::path& name, std::string_view bytes = "x") const {
    const std::filesystem::path path = root_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  std::filesystem::path root_;
};

// What the Error says; empty if there is none.
template <typename Call>
std::string error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace longshot
