// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/shard_wire.h"

#include <gmock/gmock.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

std::string search_request(Index top) {
  ByteWriter out = request_of(ShardOp::kSearch);
  write_basis(out, {"longshot 12x10", "a camera"});
  out.number(top);
  return out.take();
}

std::string nearest_reply(const NearestPeople& nearest) {
  ByteWriter out;
  write_nearest(out, nearest);
  return good_reply(out.take());
}

NearestPeople nearest_of_reply(const std::string& reply) {
  ByteReader in(content_of(reply), "a test");
  return read_nearest(in);
}

TEST(ShardWire, CombinesTheNearestWithTiesInOrderOfId) {
  const std::string request = search_request(3);
  const std::string one = nearest_reply({{{4, 0.5}, {9, 0.5}, {1, 0.7}}, {}});
  const std::string other = nearest_reply({{{2, 0.25}, {5, 0.5}}, {{8, 1.0}}});
  for (const std::string& both :
       {combine_replies(request, one, other), combine_replies(request, other, one)}) {
    const NearestPeople nearest = nearest_of_reply(both);
    std::vector<PersonId> ids;
    for (const PersonDistance& person : nearest.at(0)) ids.push_back(person.person);
    EXPECT_EQ(ids, (std::vector<PersonId>{2, 4, 5}));
    EXPECT_EQ(nearest.at(1).size(), 1U);
  }
}

TEST(ShardWire, TakesTheFirstPersonFromEachId) {
  ByteWriter request = request_of(ShardOp::kFirstFrom);
  write_ids(request, {1, 4, 9});
  const auto reply = [](std::vector<PersonId> ids) {
    std::vector<Person> people;
    for (const PersonId id : ids) people.push_back({id, "p", 1, ""});
    ByteWriter out;
    write_people(out, people);
    return good_reply(out.take());
  };
  const std::string both = combine_replies(request.take(), reply({3, 5}), reply({1, 7}));
  ByteReader in(content_of(both), "a test");
  std::vector<PersonId> ids;
  for (const Person& person : read_people(in)) ids.push_back(person.id);
  EXPECT_EQ(ids, (std::vector<PersonId>{1, 5}));
}

TEST(ShardWire, AnErrorIsAnAnswer) {
  const std::string bad = error_reply(ErrorKind::damaged, "It is damaged.");
  const std::string good = nearest_reply({});
  for (const std::string& both : {combine_replies(search_request(1), bad, good),
                                  combine_replies(search_request(1), good, bad)}) {
    try {
      content_of(both);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::damaged);
      EXPECT_STREQ(error.what(), "It is damaged.");
    }
  }
}

TEST(ShardWire, APhotoComesBackAsItWas) {
  Photo photo;
  photo.id = 7;
  photo.added_at = "2026-01-31T12:00:00Z";
  photo.rows = 1;
  photo.cols = 2;
  photo.pixels = {0, 255};
  photo.eyes = {1.0, 2.0, 3.0, 4.5};
  photo.source = "a.png";
  photo.content_hash = std::string("\0x", 2);
  photo.quality = {{"contrast", 0.25}};
  ByteWriter out;
  write_photo(out, photo);
  const std::string bytes = out.take();
  ByteReader in(bytes, "a test");
  const Photo read = read_photo(in);
  EXPECT_EQ(read.id, 7);
  EXPECT_EQ(read.added_at, photo.added_at);
  EXPECT_EQ(read.pixels, photo.pixels);
  EXPECT_EQ(read.eyes, photo.eyes);
  EXPECT_EQ(read.content_hash, photo.content_hash);
  EXPECT_EQ(read.quality, photo.quality);
  ByteReader cut(std::string_view(bytes).substr(0, bytes.size() - 1), "a test");
  EXPECT_THROW(read_photo(cut), Error);
}

}  // namespace
}  // namespace longshot
