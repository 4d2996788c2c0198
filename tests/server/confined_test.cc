// SPDX-License-Identifier: Apache-2.0
// The server decodes no picture itself: what one does to a decoder, nobody else notices.
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "running_server.h"

namespace longshot::server_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string case_of_fuzzing(const std::string& name) {
  std::ifstream file(fs::path(LONGSHOT_SOURCE_DIR) / "fuzz/cases/image" / name, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string complaint(const RunningServer& server, const std::string& name,
                      const std::string& bytes) {
  const Reply reply = server.request("POST", "/v1/identify?method=subspace&name=" + name, bytes,
                                     {{"content-type", "application/octet-stream"}});
  EXPECT_EQ(reply.status, 200) << name;
  const Json error = reply.json()["probes"][0]["error"];
  return error.is_null() ? "" : error.get<std::string>();
}

TEST(ConfinedServer, TakesHeicAndAvif) {
  const RunningServer server;
  enroll_people(server, 2);
  for (const char* name : {"colour.heic", "colour.avif"}) {
    const std::string bytes = case_of_fuzzing(name);
    ASSERT_FALSE(bytes.empty());
    EXPECT_THAT(complaint(server, name, bytes), Not(HasSubstr("Cannot read")));
    EXPECT_THAT(complaint(server, name, bytes.substr(0, bytes.size() / 2)),
                HasSubstr("Cannot read"));
  }
}

TEST(ConfinedServer, OutlivesItsDecoders) {
  RunningServer server;
  enroll_people(server, 2);
  server.signal(SIGTERM);
  server.wait();
  const ScratchFolder helpers;
  fs::create_symlink(fs::path(LONGSHOT_PROGRAM).parent_path() / "longshot-misbehaving",
                     helpers / "longshot-stills");
  ::setenv("LONGSHOT_HELPERS", helpers.path().c_str(), 1);
  server.start();
  ::unsetenv("LONGSHOT_HELPERS");
  for (const char* name : {"crash.png", "eat.png", "babble.png", "endless.png"}) {
    EXPECT_THAT(complaint(server, name, photo_png(0)), HasSubstr("its decoder")) << name;
  }
  EXPECT_THAT(complaint(server, "well.png", photo_png(0)), Not(HasSubstr("its decoder")));
  EXPECT_TRUE(server.is_healthy());
}

}  // namespace
}  // namespace longshot::server_test
