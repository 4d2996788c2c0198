// SPDX-License-Identifier: Apache-2.0
// How answers travel: packed, in parts, not at all if the client has them, over one connection.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "running_server.h"

namespace longshot::server_test {
namespace {

using testing::HasSubstr;

TEST(Transfer, LargeAnswersArePackedIfThatIsUnderstood) {
  const RunningServer server;
  const Reply plain = server.request("GET", "/v1/openapi.json");
  const Reply packed = server.request("GET", "/v1/openapi.json", {}, {{"accept-encoding", "gzip"}});
  EXPECT_EQ(packed.headers.at("content-encoding"), "gzip");
  EXPECT_LT(packed.body.size(), plain.body.size() / 2);
  EXPECT_EQ(packed.headers.at("vary"), "Accept-Encoding");
  EXPECT_NE(packed.headers.at("etag"), plain.headers.at("etag"));
  for (const Reply& known : {plain, packed}) {
    const std::string tags = "\"other\", W/" + known.headers.at("etag");
    EXPECT_EQ(server.request("GET", "/v1/openapi.json", {}, {{"if-none-match", tags}}).status, 304);
  }
}

TEST(Transfer, PartsOfWhatCanBeKeptAreSentByRange) {
  const RunningServer server;
  const std::string target = "/v1/openapi.json";
  const Reply whole = server.request("GET", target);
  const std::string size = std::to_string(whole.body.size());
  EXPECT_EQ(whole.headers.at("accept-ranges"), "bytes");
  const auto part = [&](const std::string& range, Headers headers = {}) {
    headers["range"] = range;
    return server.request("GET", target, {}, headers);
  };
  const Reply middle = part("bytes=2-5", {{"accept-encoding", "gzip"}});
  EXPECT_EQ(middle.status, 206);
  EXPECT_EQ(middle.body, whole.body.substr(2, 4));
  EXPECT_EQ(middle.headers.at("content-range"), "bytes 2-5/" + size);
  EXPECT_EQ(part("bytes=10-").body, whole.body.substr(10));
  EXPECT_EQ(part("bytes=-7").body, whole.body.substr(whole.body.size() - 7));
  EXPECT_EQ(part("bytes=0-99999999").body, whole.body);
  const Reply beyond = part("bytes=99999999-");
  EXPECT_EQ(beyond.status, 416);
  EXPECT_EQ(beyond.headers.at("content-range"), "bytes */" + size);
  EXPECT_EQ(part("bytes=-0").status, 416);
  for (const char* ignored : {"bytes=5-2", "bytes=1-2,4-5", "bytes=x", "bytes=-", "lines=1-2"}) {
    EXPECT_EQ(part(ignored).status, 200) << ignored;
  }
  EXPECT_EQ(part("bytes=0-1", {{"if-range", whole.headers.at("etag")}}).status, 206);
  EXPECT_EQ(part("bytes=0-1", {{"if-range", "\"older\""}}).status, 200);
}

TEST(Transfer, HeadIsGetWithoutABodyAndAConnectionIsUsedAgain) {
  const RunningServer server;
  Connection connection = server.connect();
  connection.send(request_text("HEAD", "/v1/health"));
  const std::string head = connection.receive_some();
  EXPECT_THAT(head, HasSubstr("200 OK"));
  EXPECT_THAT(head, testing::EndsWith("\r\n\r\n"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(connection.request("GET", "/v1/health").status, 200);
}

}  // namespace
}  // namespace longshot::server_test
