// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/open_shards.h"

#include <gmock/gmock.h>

#include "longshot/pipeline/identifier.h"
#include "longshot/pipeline/small_gallery_test.h"
#include "longshot/pipeline/verifier.h"

namespace longshot {
namespace {

using testing::HasSubstr;

constexpr Index kShardPeople = 26;  // enough to be learnt from
constexpr Size kShardSize = {12, 10};

class OpenShardsTest : public SmallGallery {
 protected:
  std::shared_ptr<OpenShards> shards(Index count, ShardFolder::Use use = ShardFolder::Use::kAsk) {
    const std::filesystem::path folder = folder_ / fmt::format("{}.shards", count);
    if (!std::filesystem::exists(folder)) {
      split_gallery(GalleryStore(folder_ / "people.gallery", GalleryStore::Access::kRead), folder,
                    count);
    }
    return std::make_shared<OpenShards>(std::make_unique<ShardFolder>(folder, use));
  }
  std::shared_ptr<OpenGallery> file() const {
    return std::make_shared<OpenGallery>(folder_ / "people.gallery");
  }
  std::vector<Input> probes() {
    std::vector<Input> probes;
    for (Index i = 0; i < 8; ++i) probes.push_back(probe(i * 5, 3));  // the last ones are strangers
    return probes;
  }
  // All numbers as they are, to the last bit.
  static std::vector<std::string> identified(const std::shared_ptr<AskedGallery>& gallery,
                                             const std::vector<Input>& probes,
                                             const IdentifyOptions& options) {
    std::vector<std::string> lines;
    for (const Identification& answer : Identifier(gallery, options).identify(probes).answers) {
      lines.push_back(fmt::format("{} {} {} {} {:a} {:a} {} {}", answer.path,
                                  to_string(answer.size), answer.known, answer.people,
                                  answer.threshold, answer.margin, answer.coverage, answer.error));
      for (const Candidate& one : answer.candidates) {
        lines.back() += fmt::format(" {} {:a} {:a}", one.person, one.score, one.residual);
      }
    }
    return lines;
  }
};

TEST_F(OpenShardsTest, AnswerAsTheFileToTheLastBit) {
  make_gallery(kShardPeople);
  const std::vector<Input> asked = probes();
  for (const char* method : {"longshot", "kernel", "pca"}) {
    IdentifyOptions options;
    options.method = method;
    options.size = kShardSize;
    options.top = 7;
    const auto expected = identified(file(), asked, options);
    // Split before anything was learnt, or after: nobody can tell.
    for (const Index count : {Index{1}, Index{2}, Index{5}}) {
      EXPECT_EQ(identified(shards(count), asked, options), expected) << method << ", " << count;
    }
  }
}

TEST_F(OpenShardsTest, LearnAndCalibrateAsTheFileDoes) {
  make_gallery(kShardPeople);
  const auto three = shards(3);  // from a file that knows no model yet
  const std::vector<Input> asked = probes();
  IdentifyOptions options;
  options.learn_camera = true;
  EXPECT_EQ(identified(three, asked, options), identified(file(), asked, options));
  IdentifyOptions fused;
  fused.size = kShardSize;
  fused.fuse_folders = true;
  EXPECT_EQ(identified(three, asked, fused), identified(file(), asked, fused));
  VerifyOptions claim;
  claim.size = kShardSize;
  for (const char* person : {"person_5", "person_6"}) {
    const Verification one = Verifier(file(), claim).verify({asked[1]}, person);
    const Verification other = Verifier(three, claim).verify({asked[1]}, person);
    EXPECT_EQ(one.match, other.match);
    EXPECT_EQ(one.score, other.score);
    EXPECT_EQ(one.margin, other.margin);
  }
  EXPECT_THROW(Verifier(three, claim).verify({asked[1]}, "Nobody"), Error);
}

TEST_F(OpenShardsTest, WeighDaysAsTheFileDoes) {
  make_gallery(kShardPeople);
  const auto three = shards(3);
  const std::vector<Input> asked = probes();
  IdentifyOptions any;
  any.size = kShardSize;
  IdentifyOptions other = any;
  other.camera = camera_of_days(Days::kOther);
  const auto expected = identified(file(), asked, other);
  EXPECT_EQ(identified(three, asked, other), expected);
  EXPECT_NE(identified(three, asked, any), expected);
  VerifyOptions claim;
  claim.size = kShardSize;
  const Verification of_any = Verifier(file(), claim).verify({asked[1]}, "person_5");
  claim.camera = other.camera;
  const Verification one = Verifier(file(), claim).verify({asked[1]}, "person_5");
  EXPECT_EQ(Verifier(three, claim).verify({asked[1]}, "person_5").margin, one.margin);
  EXPECT_NE(one.margin, of_any.margin);
}

TEST_F(OpenShardsTest, EnrolAndRemoveAsTheFileDoes) {
  GalleryStore gallery = make_gallery(kShardPeople);
  IdentifyOptions options;
  options.size = kShardSize;
  const std::vector<Input> asked = probes();
  identified(file(), asked, options);  // models and calibration are there before
  const auto four = shards(4, ShardFolder::Use::kChange);
  std::vector<Input> photos;
  for (Index i = 20; i < 29; ++i) photos.push_back(photo(i, 1));
  photos.push_back(photo(27, 1));  // once more
  EnrolOptions enrolling;
  enrolling.force = true;
  const EnrolReport one = enrol(gallery, photos, enrolling);
  const EnrolReport other = four->enrol(photos, enrolling, false, no_progress());
  EXPECT_EQ(other.people, one.people);
  EXPECT_EQ(other.photos, one.photos);
  ASSERT_EQ(other.rejections.size(), one.rejections.size());
  EXPECT_EQ(other.rejections[0].reason, one.rejections[0].reason);
  gallery.remove_person("person_3");
  EXPECT_TRUE(four->remove("person_3"));
  EXPECT_FALSE(four->remove("person_3"));
  EXPECT_EQ(four->totals().people, gallery.person_count());
  EXPECT_EQ(four->totals().photos, gallery.photo_count());
  EXPECT_EQ(four->find("person_28")->id, gallery.find_person("person_28")->id);
  EXPECT_EQ(identified(four, asked, options), identified(file(), asked, options));
}

TEST_F(OpenShardsTest, GiveTheSameIdsWhenAKilledEnrolmentIsMadeAgain) {
  make_gallery(4);
  const auto two = shards(2, ShardFolder::Use::kChange);
  const std::filesystem::path folder = two->path();
  EnrolOptions enrolling;
  enrolling.force = true;
  std::vector<Input> photos;
  for (Index i = 4; i < 10; ++i) photos.push_back(photo(i));
  two->enrol(photos, enrolling, false, no_progress());
  std::map<std::string, PersonId> expected;
  for (const Person& person : two->people()) expected[person.name] = person.id;
  // As if it had been killed when one shard had its part and the other had not.
  const PersonId next = read_shard_manifest(folder).next_person;
  ShardManifest manifest = read_shard_manifest(folder);
  for (const auto& [name, id] : expected) manifest.reserved[name] = id;
  write_shard_manifest(folder, manifest);
  {
    GalleryStore shard(folder / shard_file_name(1), GalleryStore::Access::kWrite);
    for (const Person& person : shard.people()) {
      if (person.id > 4) shard.remove_person(person.name);
    }
  }
  const EnrolReport again = two->enrol(photos, enrolling, true, no_progress());
  EXPECT_TRUE(again.rejections.empty());
  EXPECT_EQ(again.photos, 6);
  std::map<std::string, PersonId> found;
  for (const Person& person : two->people()) found[person.name] = person.id;
  EXPECT_EQ(found, expected);
  EXPECT_EQ(read_shard_manifest(folder).next_person, next);
}

TEST_F(OpenShardsTest, RefuseWhatTheyCannot) {
  make_gallery(6);
  IdentifyOptions options;
  options.method = "crc";
  options.size = kShardSize;
  EXPECT_THAT([&] { identified(shards(2), probes(), options); },
              testing::ThrowsMessage<Error>(HasSubstr("merge the shards first")));
}

}  // namespace
}  // namespace longshot
