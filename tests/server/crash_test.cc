// SPDX-License-Identifier: Apache-2.0
// What a crash leaves of an encrypted gallery: no name, in no file.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "running_server.h"

namespace longshot::server_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// Lets this process and those that it starts dump core, as far as it may.
class CoreDumpsAllowed {
 public:
  CoreDumpsAllowed() {
    ::getrlimit(RLIMIT_CORE, &before_);
    const rlimit most{before_.rlim_max, before_.rlim_max};
    ::setrlimit(RLIMIT_CORE, &most);
  }
  ~CoreDumpsAllowed() { ::setrlimit(RLIMIT_CORE, &before_); }
  CoreDumpsAllowed(const CoreDumpsAllowed&) = delete;
  CoreDumpsAllowed& operator=(const CoreDumpsAllowed&) = delete;

 private:
  rlimit before_{};
};

bool system_dumps_core() {
  const ScratchFolder folder;
  const pid_t process = ::fork();
  if (process == 0) {
    if (::chdir(folder.path().c_str()) == 0) ::raise(SIGABRT);
    ::_exit(1);
  }
  int status = 0;
  ::waitpid(process, &status, 0);
  return WIFSIGNALED(status) && WCOREDUMP(status);
}

fs::path new_key(const ScratchFolder& folder) {
  std::ofstream(folder / "key") << std::string(32, 'k');
  return folder / "key";
}

void expect_no_name(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_THAT(bytes, Not(HasSubstr("person_"))) << entry.path();
  }
}

// The names are in its memory, as it has just told them.
TEST(Crash, LeavesNoNameOfAnEncryptedGallery) {
  const CoreDumpsAllowed allowed;
  if (!system_dumps_core()) GTEST_SKIP() << "This system writes no core dumps.";
  const ScratchFolder elsewhere;
  RunningServer server({"--key-file", new_key(elsewhere).string()});
  enroll_people(server, 2);
  EXPECT_THAT(server.request("GET", "/v1/people").body, HasSubstr("person_1"));
  EXPECT_GT(fs::file_size(server.gallery().string() + "-wal"), 0U);
  EXPECT_GT(fs::file_size(server.gallery().string() + ".audit"), 0U);
  expect_no_name(server.folder());
  server.signal(SIGABRT);
  EXPECT_EQ(server.wait(), -1);
  EXPECT_FALSE(server.dumped_core());
  expect_no_name(server.folder());
  server.start();
  EXPECT_THAT(server.request("GET", "/v1/people").body, HasSubstr("person_1"));
}

}  // namespace
}  // namespace longshot::server_test
