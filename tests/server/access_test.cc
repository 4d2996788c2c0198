// SPDX-License-Identifier: Apache-2.0
// Who may ask: hosts, origins, tokens, roles, rates, TLS.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/error.h"

#include "openapi_check.h"
#include "rate_limit.h"
#include "running_server.h"
#include "tokens.h"

namespace longshot::server_test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

TEST(Access, OthersReachNothingWithoutTls) {
  const ScratchFolder folder;
  const std::string gallery = (folder / "g").string();
  const ProgramResult result = run_longshot("serve --host 0.0.0.0 --gallery " + gallery);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--tls-cert"));
  EXPECT_FALSE(fs::exists(gallery));
  EXPECT_THAT(run_longshot("serve --host nowhere.example --gallery " + gallery).err,
              HasSubstr("is no address"));
  EXPECT_THAT(run_longshot("serve --tls-cert x --gallery " + gallery).err, HasSubstr("both"));
  EXPECT_THAT(run_longshot("serve --tls-cert x --tls-key y --gallery " + gallery).err,
              HasSubstr("holds no certificate"));
}

TEST(Access, AnEncryptedGalleryIsServedToWhoeverHasTheKey) {
  const ScratchFolder folder;
  std::ofstream(folder / "key") << std::string(32, 'k');
  fs::permissions(folder / "key", fs::perms::owner_read);
  RunningServer server({"--key-file", (folder / "key").string()});
  enroll_people(server, 1);
  EXPECT_EQ(server.request("GET", "/v1/people").json()["total"], 1);
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait(), 0);
  const std::string list = "people list --gallery " + server.gallery().string();
  EXPECT_EQ(run_longshot(list).exit_code, 2);
  EXPECT_THAT(run_longshot(list + " --key-file " + (folder / "key").string()).out,
              HasSubstr("person_0"));
}

TEST(Access, PagesOfOtherSitesMayNotAsk) {
  const RunningServer server;
  const auto status = [&](const Headers& headers) {
    return server.request("GET", "/v1/people", {}, headers).status;
  };
  EXPECT_EQ(status({}), 200);
  EXPECT_EQ(status({{"host", "127.0.0.1:1234"}}), 200);
  EXPECT_EQ(status({{"host", "evil.example"}}), 421);
  EXPECT_EQ(status({{"origin", "https://evil.example"}}), 403);
  EXPECT_EQ(status({{"origin", "http://localhost"}}), 200);
  EXPECT_EQ(status({{"sec-fetch-site", "cross-site"}}), 403);
  const Reply reply = server.request("GET", "/v1/people");
  EXPECT_FALSE(reply.headers.contains("access-control-allow-origin"));
  EXPECT_THAT(reply.headers.at("content-security-policy"), HasSubstr("default-src 'none'"));
  EXPECT_EQ(reply.headers.at("x-content-type-options"), "nosniff");
}

TEST(Access, OneOtherSiteMayAskIfItIsNamed) {
  const RunningServer server({"--cors", "https://desk.example"});
  const Reply reply = server.request("GET", "/v1/people", {}, {{"origin", "https://desk.example"}});
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.headers.at("access-control-allow-origin"), "https://desk.example");
  EXPECT_EQ(
      server.request("OPTIONS", "/v1/people", {}, {{"origin", "https://desk.example"}}).status,
      204);
  EXPECT_EQ(
      server.request("OPTIONS", "/v1/people", {}, {{"origin", "https://evil.example"}}).status,
      403);
}

TEST(Access, TokensHaveRoles) {
  const RunningServer server({"--behind-proxy", "--rate", "0"});
  const fs::path file = server.gallery().string() + ".tokens";
  EXPECT_THAT(server.greeting(), HasSubstr("token"));
  EXPECT_EQ(fs::status(file).permissions() & fs::perms::all,
            fs::perms::owner_read | fs::perms::owner_write);
  std::map<std::string, Headers> roles;
  std::ifstream stream(file);
  for (std::string role, token; stream >> role >> token;) {
    roles[role] = {{"authorization", "Bearer " + token}};
  }
  ASSERT_EQ(roles.size(), 3U);
  EXPECT_EQ(server.request("GET", "/v1/health").status, 200);
  const Reply none = server.request("GET", "/v1/people");
  EXPECT_EQ(none.status, 401);
  EXPECT_EQ(none.headers.at("www-authenticate"), "Bearer");
  EXPECT_EQ(none.json()["code"], "token_needed");
  const auto status = [&](const std::string& method, const std::string& target,
                          const std::string& role) {
    return server.request(method, target, {}, roles[role]).status;
  };
  EXPECT_EQ(status("GET", "/v1/people", "reader"), 200);
  EXPECT_EQ(status("POST", "/v1/enroll", "reader"), 403);
  EXPECT_EQ(status("POST", "/v1/enroll", "operator"), 415);
  EXPECT_EQ(status("DELETE", "/v1/people/x", "operator"), 403);
  EXPECT_EQ(status("DELETE", "/v1/people/x", "admin"), 404);
  EXPECT_EQ(server.request("GET", "/v1/system", {}, roles["operator"]).json()["role"], "operator");
}

// The lines of the log, by what was done, once a failed login is among them.
std::map<std::string, Json> lines_of_log(const RunningServer& server, const Headers& admin) {
  std::map<std::string, Json> lines;
  for (int i = 0; i < 3000 && !lines.contains("login failure"); ++i) {
    const Reply reply = server.request("GET", "/v1/audit", {}, admin);
    EXPECT_EQ(mismatch("GET /v1/audit", reply), "");
    const Json page = reply.json();
    for (const Json& entry : page["entries"]) lines[entry["act"]] = entry;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return lines;
}

TEST(Access, EveryActIsALineOfTheLogWithTheNameOfItsToken) {
  const ScratchFolder folder;
  const std::string same = "0123456789abcdef0123456789abcde";
  std::ofstream(folder / "tokens") << "admin " << same << "1 Ada Admin\n"
                                   << "operator " << same << "2\nreader " << same << "3 rita\n";
  fs::permissions(folder / "tokens", fs::perms::owner_read);
  const RunningServer server({"--token-file", (folder / "tokens").string(), "--rate", "0"});
  const auto ask = [&](const std::string& method, const std::string& target, const char* token,
                       const std::string& body = {}) {
    return server.request(
        method, target, body,
        {{"authorization", "Bearer " + same + token}, {"content-type", "image/png"}});
  };
  EXPECT_EQ(ask("POST", "/v1/people?force=true&aligned=true&person=anna", "2", photo_png(1)).status,
            201);
  const Reply answer = ask("POST", "/v1/identify?method=subspace&aligned=true", "3", probe_png(1));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(ask("GET", "/v1/report/" + answer.json()["report"].get<std::string>(), "3").status,
            200);
  EXPECT_EQ(ask("GET", "/v1/people", "4").status, 401);
  EXPECT_EQ(ask("DELETE", "/v1/people/anna", "1").status, 200);
  EXPECT_EQ(ask("GET", "/v1/audit", "2").status, 403);

  const std::map<std::string, Json> lines =
      lines_of_log(server, {{"authorization", "Bearer " + same + "1"}});
  for (const auto& [act, actor] : std::map<std::string, std::string>{{"enroll", "operator"},
                                                                     {"identify", "rita"},
                                                                     {"report", "rita"},
                                                                     {"remove", "Ada Admin"}}) {
    ASSERT_TRUE(lines.contains(act)) << act;
    EXPECT_EQ(lines.at(act)["actor"], actor);
  }
  ASSERT_TRUE(lines.contains("login failure"));
  EXPECT_EQ(lines.at("login failure")["details"]["address"], "127.0.0.1");
  EXPECT_EQ(lines.at("identify")["inputs"].size(), 1U);
  EXPECT_EQ(lines.at("remove")["people"][0].get<std::string>().substr(0, 1), "#");
  const Reply verdict = ask("GET", "/v1/audit/verdict", "1");
  EXPECT_EQ(mismatch("GET /v1/audit/verdict", verdict), "");
  EXPECT_EQ(verdict.json()["whole"], true) << verdict.body;
}

TEST(Access, AnEmptyGalleryLeavesNoLogInTheNextOnesWay) {
  RunningServer server;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(server.request("GET", "/v1/health").status, 200);
    server.signal(SIGTERM);
    EXPECT_EQ(server.wait(), 0);
    EXPECT_FALSE(fs::exists(server.gallery().string() + ".audit"));
    server.start();
  }
}

TEST(Access, WrongTokensAreSlowedDown) {
  const RunningServer server({"--behind-proxy"});
  Reply reply;
  // Some are let through, and a slow machine lets more of them.
  for (int i = 0; i < 1000 && reply.status != 429; ++i) {
    reply = server.request("GET", "/v1/people", {}, {{"authorization", "Bearer wrong"}});
    EXPECT_TRUE(reply.status == 401 || reply.status == 429) << reply.status;
  }
  EXPECT_EQ(reply.headers["retry-after"], "1");
  EXPECT_EQ(server.request("GET", "/v1/health").status, 200);
}

TEST(Access, ATokenFileThatOthersCanReadIsRefused) {
  const ScratchFolder folder;
  const fs::path file = folder / "tokens";
  std::ofstream(file) << "admin 0123456789abcdef0123456789abcdef\n";
  fs::permissions(file, fs::perms::owner_all | fs::perms::group_read);
  EXPECT_THROW(server::Tokens::read(file), Error);
  fs::permissions(file, fs::perms::owner_read);
  const server::Tokens tokens = server::Tokens::read(file);
  EXPECT_EQ(tokens.holder_of("0123456789abcdef0123456789abcdef").role, server::Role::kAdmin);
  EXPECT_EQ(tokens.holder_of("0123456789abcdef0123456789abcdee").role, server::Role::kNobody);
  EXPECT_EQ(tokens.holder_of("").role, server::Role::kNobody);
  fs::permissions(file, fs::perms::owner_all);
  std::ofstream(file) << "king 0123456789abcdef0123456789abcdef\n";
  EXPECT_THROW(server::Tokens::read(file), Error);
}

TEST(Access, RequestsThatComeTooOftenAreAskedToWait) {
  const RunningServer server({"--rate", "1"});
  Connection connection = server.connect();
  Reply reply;
  for (int i = 0; i < 1000 && reply.status != 429; ++i) {
    reply = connection.request("GET", "/v1/people");
  }
  EXPECT_EQ(reply.status, 429);
  EXPECT_EQ(connection.request("GET", "/v1/health").status, 200);
}

TEST(RateLimit, FillsUpWithTime) {
  server::RateLimit limit(10.0);
  const server::RateLimit::Clock::time_point start{};
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(limit.allows("a", start));
  EXPECT_FALSE(limit.allows("a", start));
  EXPECT_TRUE(limit.allows("b", start));
  EXPECT_TRUE(limit.allows("a", start + std::chrono::milliseconds(150)));
  EXPECT_FALSE(limit.allows("a", start + std::chrono::milliseconds(160)));
}

}  // namespace
}  // namespace longshot::server_test
