// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/shard_manifest.h"

#include <gmock/gmock.h>

#include "longshot/core/file.h"
#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

class ShardManifestFile : public ScratchTest {
 protected:
  std::string refusal(const std::string& text) {
    write_file(folder_ / "manifest.json", text);
    return message_of([&] { read_shard_manifest(folder_); });
  }
};

TEST_F(ShardManifestFile, ComesBackAsItWasWritten) {
  ShardManifest manifest;
  manifest.revision = 7;
  manifest.next_person = 12;
  manifest.shards = {{"shard-0000.gallery", 3}, {"shard-0001.gallery", 8}};
  manifest.models = {{"longshot 12x10", "00ff"}};
  manifest.moving = ShardMove{1, 0, {4, 9}};
  manifest.reserved = {{"Čeněk \"C\"", 11}};
  write_shard_manifest(folder_, manifest);
  const ShardManifest read = read_shard_manifest(folder_);
  EXPECT_EQ(read.revision, 7);
  EXPECT_EQ(read.next_person, 12);
  EXPECT_EQ(read.people(), 11);
  EXPECT_EQ(read.shards[1].file, "shard-0001.gallery");
  EXPECT_EQ(read.models[0].checksum, "00ff");
  EXPECT_EQ(read.moving->people, (std::vector<PersonId>{4, 9}));
  EXPECT_EQ(read.reserved, manifest.reserved);
  const auto mode = std::filesystem::status(folder_ / "manifest.json").permissions();
  EXPECT_EQ(mode, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(ShardManifestFile, IsRefusedWhereItSaysWhatCannotBe) {
  const std::string head = R"({"format":"longshot shards","version":1,"revision":1,)";
  const std::string tail = R"("next_person":1,"models":[],)";
  const std::string good = R"("shards":[{"file":"shard-0000.gallery","people":1}])";
  EXPECT_EQ(refusal(head + tail + good + "}"), "");
  for (const std::string& bad : {
           std::string("{}"),
           std::string("not JSON"),
           std::string(R"({"format":1,"version":1})"),
           std::string(R"({"format":"longshot shards","version":1e72})"),
           head + good + "}",
           head + tail + R"("shards":[]})",
           head + tail + R"("shards":[{"file":"../other.gallery","people":1}]})",
           head + tail + R"("shards":"none"})",
           head + tail + R"("shards":[{"file":"shard-0000.gallery","people":1e72}]})",
           head + tail + good + R"(,"moving":{"from":0,"to":1,"people":[]}})",
       }) {
    EXPECT_THAT(refusal(bad), testing::HasSubstr("is damaged")) << bad;
  }
  EXPECT_THAT(refusal(R"({"format":"longshot shards","version":2})"),
              testing::HasSubstr("newer version"));
}

}  // namespace
}  // namespace longshot
