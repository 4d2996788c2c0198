// SPDX-License-Identifier: Apache-2.0
// Every target over its cases, in every build: what was found once stays mended.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "target.h"

namespace longshot::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBeginnings = 16;

std::string bytes_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<fs::path> cases_of(const std::string& target) {
  std::vector<fs::path> files;
  const fs::path folder = fs::path(LONGSHOT_SOURCE_DIR) / "fuzz/cases" / target;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

class FuzzReplay : public testing::TestWithParam<std::string> {};

// The cases, and beginnings of them: a file that is not there to its end is the commonest damage.
// One at least is good, or a fuzzer would never get beyond the first look.
TEST_P(FuzzReplay, EveryCaseIsAnswered) {
  const Target& target = targets().at(GetParam());
  const std::vector<fs::path> files = cases_of(GetParam());
  int good = 0;
  run(target, "");
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.filename());
    const std::string bytes = bytes_of_file(file);
    if (run(target, bytes)) ++good;
    for (std::size_t part = 1; part < kBeginnings; ++part) {
      run(target, std::string_view(bytes).substr(0, bytes.size() * part / kBeginnings));
    }
  }
  EXPECT_GT(good, 0);
}

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const auto& [name, target] : targets()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, FuzzReplay, testing::ValuesIn(target_names()),
                         [](const auto& test) { return test.param; });

TEST(FuzzCases, BelongToATarget) {
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(LONGSHOT_SOURCE_DIR) / "fuzz/cases")) {
    EXPECT_TRUE(targets().contains(entry.path().filename())) << entry.path();
  }
}

}  // namespace
}  // namespace longshot::fuzz
