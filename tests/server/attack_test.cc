// SPDX-License-Identifier: Apache-2.0
// What a hostile client may try: it gets an answer or an end, and nobody else notices.
#include "attack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>

#include "openapi_check.h"

namespace longshot::server_test {
namespace {

using testing::HasSubstr;

class Attack : public testing::Test {
 protected:
  ~Attack() override { expect_unharmed(server_, watch_); }

  Reply post(const std::string& target, std::string_view body, const std::string& type) const {
    return server_.request("POST", target, body, {{"content-type", type}});
  }

  RunningServer server_{{"--idle-seconds", "2", "--request-seconds", "2", "--max-body", "2",
                         "--rate", "0", "--max-images", "16"}};
  HealthWatch watch_{server_};
};

TEST_F(Attack, SlowHeadersEnd) {
  std::vector<Connection> slow;
  for (int i = 0; i < 100; ++i) slow.push_back(server_.connect());
  for (const char c : std::string("GET /v1/health HTTP/1.1\r\nhost: local")) {
    for (Connection& one : slow) one.send(std::string(1, c));
  }
  // Their end, not ours: the wait is longer than its limit.
  for (Connection& one : slow) EXPECT_EQ(one.receive_some(), "");
}

TEST_F(Attack, ASlowBodyEnds) {
  Connection slow = server_.connect();
  slow.send("POST /v1/identify HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nabc");
  EXPECT_EQ(slow.receive_some(), "");
}

TEST_F(Attack, AnEndlessChunkedBodyIsCut) {
  Connection endless = server_.connect();
  endless.send(
      "POST /v1/identify HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n");
  const std::string chunk = "10000\r\n" + std::string(0x10000, 'x') + "\r\n";
  bool open = true;
  for (int i = 0; i < 1600 && open; ++i) open = endless.send(chunk);  // 100 MB at the most
  EXPECT_FALSE(open);
}

TEST_F(Attack, ALargeBodyIsRefusedBeforeItIsSent) {
  Connection large = server_.connect();
  large.send("POST /v1/identify HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3000000000\r\n\r\n");
  const Reply reply = large.receive();
  EXPECT_EQ(reply.status, 413);
  EXPECT_EQ(reply.json()["code"], "body_too_large");
}

TEST_F(Attack, TenMegabytesOfHeadersAreCut) {
  Connection large = server_.connect();
  large.send("GET /v1/health HTTP/1.1\r\nhost: localhost\r\n");
  const std::string line = "x-filler: " + std::string(1000, 'x') + "\r\n";
  bool open = true;
  for (int i = 0; i < 10'000 && open; ++i) open = large.send(line);
  const Reply reply = large.receive();
  EXPECT_TRUE(reply.status == 431 || reply.status == 0) << reply.status;
  Connection just = server_.connect();
  EXPECT_EQ(just.request("GET", "/v1/health", {}, {{"x-a", std::string(17'000, 'x')}}).status, 431);
}

TEST_F(Attack, ManyIdleConnectionsKeepNobodyOut) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  std::vector<Connection> idle;
  for (int i = 0; i < 1000; ++i) idle.push_back(server_.connect());
  EXPECT_EQ(server_.request("GET", "/v1/people").status, 200);
  for (const Connection& one : idle) EXPECT_TRUE(one.is_open());
}

TEST_F(Attack, AHalfClosedSocketGetsItsAnswer) {
  Connection half = server_.connect();
  half.send(request_text("GET", "/v1/people"));
  half.half_close();
  EXPECT_EQ(half.receive().status, 200);
  EXPECT_EQ(half.receive_some(), "");
  for (int i = 0; i < 50; ++i) {
    Connection gone = server_.connect();
    gone.send(request_text("GET", "/v1/people"));  // and away without reading
  }
}

// A PNG that claims a size and holds zeros for it, packed.
std::string bomb(std::uint32_t side) {
  const auto number = [](std::uint32_t value) {
    return std::string{static_cast<char>(value >> 24), static_cast<char>(value >> 16),
                       static_cast<char>(value >> 8), static_cast<char>(value)};
  };
  const auto chunk = [&](const std::string& type, const std::string& data) {
    const std::string checked = type + data;
    const auto sum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(checked.data()), checked.size()));
    return number(static_cast<std::uint32_t>(data.size())) + checked + number(sum);
  };
  const std::string zeros(std::size_t{side} * (side + 1) / 8 + 1024, '\0');
  std::string packed(compressBound(zeros.size()), '\0');
  uLongf length = packed.size();
  compress2(reinterpret_cast<Bytef*>(packed.data()), &length,
            reinterpret_cast<const Bytef*>(zeros.data()), zeros.size(), 9);
  packed.resize(length);
  return "\x89PNG\r\n\x1a\n" +
         chunk("IHDR", number(side) + number(side) + std::string("\1\0\0\0\0", 5)) +
         chunk("IDAT", packed) + chunk("IEND", "");
}

TEST_F(Attack, DecompressionBombsAreRefusedByTheirHeader) {
  enroll_people(server_, 2);
  const Reply reply = post("/v1/identify?method=subspace", bomb(20'000), "image/png");
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.json()["probes"][0]["error"].get<std::string>(), HasSubstr("million pixels"));
  std::vector<FormFile> many(4, FormFile{"b.png", bomb(3400)});
  EXPECT_EQ(post("/v1/identify?method=subspace", form(many), kFormType).status, 200);
}

TEST_F(Attack, FilesThatClaimToBeHugeAreRefusedByTheirHeader) {
  enroll_people(server_, 2);
  using namespace std::string_literals;
  const std::vector<FormFile> claims = {
      {"a.pgm", "P5\n60000 60000\n255\n"},
      {"a.bmp",
       "BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"
       "\x60\xEA\0\0\x60\xEA\0\0\1\0\x18\0"s +
           std::string(64, '\0')},
      {"a.jpg", "\xFF\xD8\xFF\xC0\0\x11\x08\xFF\xDC\xFF\xDC\3\1\x22\0\2\x11\1\3\x11\1"s},
      {"a.webp", "RIFF\x40\0\0\0WEBPVP8X\x0A\0\0\0\0\0\0\0\xFF\x3F\0\xFF\x3F\0"s}};
  const Json probes = post("/v1/identify", form(claims), kFormType).json()["probes"];
  ASSERT_EQ(probes.size(), claims.size());
  for (const Json& probe : probes) EXPECT_FALSE(probe["error"].is_null()) << probe;
}

TEST_F(Attack, PackedBodiesAreNotUnpacked) {
  const Reply reply =
      server_.request("POST", "/v1/identify", std::string(1 << 20, 'x'),
                      {{"content-type", "image/png"}, {"content-encoding", "gzip"}});
  EXPECT_EQ(reply.status, 415);
  EXPECT_EQ(reply.json()["code"], "unknown_type");
  EXPECT_EQ(mismatch("POST /v1/identify", reply), "");
}

TEST_F(Attack, JsonOfManySmallValuesIsRefused) {
  std::string many = R"({"probes": [)";
  while (many.size() < 1'900'000) many += "0,";
  EXPECT_EQ(post("/v1/identify", many + "0]}", "application/json").status, 400);
}

TEST_F(Attack, TooManyImagesAreRefused) {
  const std::vector<FormFile> many(17, FormFile{"a.png", "x"});
  EXPECT_EQ(post("/v1/identify", form(many), kFormType).json()["code"], "too_many_images");
}

TEST_F(Attack, BrokenFormsAreBadRequests) {
  const std::string whole = form({{"a.png", probe_png(0)}}, R"({"top": 3})");
  for (std::size_t length = 0; length + 4 < whole.size(); length += 37) {
    EXPECT_EQ(post("/v1/identify", whole.substr(0, length), kFormType).status, 400) << length;
  }
  EXPECT_EQ(post("/v1/identify", whole, "multipart/form-data").status, 400);
  EXPECT_EQ(post("/v1/identify", form({{"\xFF.png", "x"}}), kFormType).status, 400);
  EXPECT_EQ(post("/v1/identify", form({}, "{}"), kFormType).status, 400);
}

TEST_F(Attack, BadOptionsAreNamed) {
  const auto code = [&](const std::string& options) {
    const Reply reply = post("/v1/identify", form({{"a.png", "x"}}, options), kFormType);
    EXPECT_EQ(mismatch("POST /v1/identify", reply), "");
    return std::to_string(reply.status);
  };
  for (const char* options :
       {"[]", "{", "{\"tpo\": 1}", "{\"top\": \"x\"}", "{\"top\": 1.5}", "{\"fuse\": \"x\"}",
        "{\"probes\": 1}", "{\"probes\": [1]}", "{\"probes\": [{\"eyes\": [1]}]}",
        "{\"probes\": [{\"eyes\": [1, 2, 3, \"x\"]}]}", "{\"camera\": \"../x\"}",
        "{\"method\": 1}"}) {
    EXPECT_EQ(code(options), "400") << options;
  }
  EXPECT_EQ(code("{\"top\": 0}"), "422");
  EXPECT_EQ(code("{\"size\": \"x\"}"), "422");
  EXPECT_EQ(code("{\"camera\": \"none-such\"}"), "404");
  const std::string deep = std::string(100'000, '[');
  EXPECT_EQ(post("/v1/identify", deep, "application/json").status, 400);
  EXPECT_EQ(post("/v1/identify", R"({"probes": [{"image": "!"}]})", "application/json").status,
            400);
  EXPECT_EQ(post("/v1/identify", "x", "text/plain").status, 415);
}

TEST_F(Attack, PathsLeadNowhereElse) {
  for (const char* target :
       {"/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/v1/", "/v1/people/",
        "/v1/cameras/..%2F..%2Fetc%2Fpasswd", "/v1/cameras/%2Fetc%2Fpasswd/sheet", "/v1/people/%00",
        "/v1/people/%ff", "/v1/people/%c0%af", "/v1/people/%2", "*", "x"}) {
    const int status = server_.request("GET", target).status;
    EXPECT_TRUE(status == 400 || status == 404) << target << " " << status;
  }
  EXPECT_EQ(server_.request("PUT", "/v1/people").headers.at("allow"), "GET, POST");
}

TEST_F(Attack, NamesThatAreNotUtf8AreRefused) {
  enroll_people(server_, 1);
  const std::vector<std::string> wrong = {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "a\xE2\x82", "\x01"};
  for (const std::string& name : wrong) {
    const std::string document = R"({"name": ")" + name + R"("})";
    EXPECT_EQ(server_.request("PATCH", "/v1/people/person_0", document).status, 400) << document;
    const std::string options = R"({"force": true, "person": ")" + name + R"("})";
    EXPECT_EQ(post("/v1/people", form({{"a.png", photo_png(1)}}, options), kFormType).status, 400);
    EXPECT_EQ(post("/v1/enroll", form({{name + ".png", photo_png(1)}}), kFormType).status, 400);
    const int raw = server_.request("GET", "/v1/people/" + name).status;
    EXPECT_TRUE(raw == 400 || raw == 404) << raw;
    server_.request("GET", "/v1/people", {}, {{"authorization", "Bearer " + name}});
  }
  EXPECT_EQ(server_.request("GET", "/v1/people").json()["total"], 1);
}

// With the limits as they are when nobody sets others.
TEST(Flood, LargeBodiesOfManyClientsStayWithinTheMemory) {
  const RunningServer server({"--rate", "0"});
  enroll_people(server, 2);
  HealthWatch watch(server);
  const std::string image(30'000'000, 'A');  // in base64, of nothing
  const std::string document = R"({"probes": [{"image": ")" + image + R"("}]})";
  std::vector<std::jthread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&] {
      const Reply reply =
          server.request("POST", "/v1/identify", document, {{"content-type", "application/json"}});
      EXPECT_TRUE(reply.status == 200 || reply.status == 503 || reply.status == 0) << reply.status;
    });
  }
  clients.clear();
  expect_unharmed(server, watch);
}

}  // namespace
}  // namespace longshot::server_test
