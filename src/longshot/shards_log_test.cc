// SPDX-License-Identifier: Apache-2.0
// What a folder of shards keeps in order although its people are in many files: its log, and people
// who become one.
#include <gmock/gmock.h>

#include "longshot/shards_face_test.h"  // first: it keeps the two faces apart

namespace longshot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class ShardsLog : public ShardsFace {
 protected:
  ShardsLog() {
    v0::split_gallery(file(), shards(), 3);
    v0::Gallery::open(shards()).set_audit(true);
  }
  static std::vector<std::string> acts(const v0::Gallery& gallery) {
    v0::AuditQuery query;
    query.newest_first = false;
    std::vector<std::string> acts;
    for (const v0::AuditEntry& entry : gallery.audit(query).entries) acts.push_back(entry.act);
    return acts;
  }
  std::filesystem::path log() const { return shards() / "shared.gallery.audit"; }
};

TEST_F(ShardsLog, HearsOfEveryAct) {
  const v0::Picture probe = pictures(4, 5)[0];
  {
    v0::Gallery gallery = v0::Gallery::open(shards());
    EXPECT_TRUE(gallery.audited());
    gallery.enroll(pictures(9, 11), forced());
    gallery.identify({probe}, small());
    v0::VerifyOptions verify;
    verify.size = v0::Size{12, 10};
    verify.method = "subspace";
    gallery.verify({probe}, "person_4", verify);
    gallery.compare(probe, "person_4");
    gallery.rename("person_1", "anna");
    gallery.merge("person_10", "anna");
    gallery.remove_photo("anna", gallery.photos("anna").at(1).id);
    gallery.remove("anna");
    EXPECT_THROW(gallery.remove("nobody"), Error);
    gallery.record("login", {{"user", "x"}});
  }
  v0::add_shard(shards());
  v0::rebalance_shards(shards());
  const v0::Gallery gallery = v0::Gallery::open(shards(), v0::Access::read);
  EXPECT_THAT(acts(gallery),
              ElementsAre("audit on", "enroll", "identify", "verify", "compare", "rename", "merge",
                          "remove", "remove", "login", "add shard", "rebalance"));
  const v0::AuditVerdict verdict = gallery.verify_audit();
  EXPECT_TRUE(verdict.whole) << verdict.finding;
  EXPECT_EQ(verdict.lines, 12);
  v0::AuditQuery query;
  query.person = "person_9";
  const v0::AuditPage page = gallery.audit(query);
  ASSERT_EQ(page.entries.size(), 1U);
  EXPECT_THAT(page.entries[0].people, testing::Contains("person_9"));
  EXPECT_EQ(page.entries[0].inputs.size(), 2U);
}

TEST_F(ShardsLog, GoesWithItsPeople) {
  const v0::Key key = v0::Key::from_passphrase("a passphrase of some length");
  const v0::Key next = v0::Key::from_passphrase("another one, which is longer");
  v0::Gallery::open(shards()).backup(folder_ / "copy.shards");
  EXPECT_THAT(acts(v0::Gallery::open(folder_ / "copy.shards")), ElementsAre("audit on", "backup"));
  v0::merge_shards(shards(), folder_ / "one.gallery");
  EXPECT_TRUE(v0::Gallery::open(folder_ / "one.gallery").verify_audit().whole);
  v0::encrypt_gallery(folder_ / "one.gallery", key);
  v0::split_gallery(folder_ / "one.gallery", folder_ / "two.shards", 2, key);
  v0::rekey_gallery(folder_ / "two.shards", key, next, false);
  const v0::Gallery two = v0::Gallery::open(folder_ / "two.shards", v0::Access::read, next);
  EXPECT_THAT(acts(two),
              ElementsAre("audit on", "backup", "merge shards", "encrypt", "split", "rekey"));
  EXPECT_TRUE(two.verify_audit().whole);
}

TEST_F(ShardsLog, WithoutItsLogNothingIsDone) {
  std::filesystem::remove(log());
  v0::Gallery gallery = v0::Gallery::open(shards());
  const auto refused = ThrowsMessage<Error>(HasSubstr("cannot be logged"));
  EXPECT_THAT([&] { gallery.remove("person_1"); }, refused);
  EXPECT_THAT([&] { gallery.merge("person_1", "person_2"); }, refused);
  EXPECT_THAT([&] { gallery.enroll(pictures(9, 10), forced()); }, refused);
  EXPECT_THAT([&] { gallery.identify(pictures(0, 1), small()); }, refused);
  EXPECT_EQ(gallery.person_count(), 9);
  EXPECT_EQ(gallery.person("person_1").photos, 1);
  gallery.set_audit(false);
  gallery.remove("person_1");
  EXPECT_EQ(gallery.person_count(), 8);
}

TEST_F(ShardsLog, CannotBePassedBy) {
  EXPECT_THAT([&] { v0::Gallery::open(shards() / "shard-0001.gallery", v0::Access::read); },
              ThrowsMessage<Error>(HasSubstr("keeps a log: use the folder")));
  EXPECT_THAT([&] { v0::Gallery::open(shards(), v0::Access::read).set_audit(false); },
              ThrowsMessage<Error>(HasSubstr("opened for questions alone")));
  v0::Gallery::open(shards()).set_audit(false);
  EXPECT_NO_THROW(v0::Gallery::open(shards() / "shard-0001.gallery", v0::Access::read));
}

class ShardsMerge : public ShardsFace {
 protected:
  ShardsMerge() { v0::split_gallery(file(), shards(), 3); }
};

TEST_F(ShardsMerge, MakesOnePersonOfTwoAsInAFile) {
  v0::Gallery one = v0::Gallery::open(file());
  {
    v0::Gallery many = v0::Gallery::open(shards());
    // Templates are there, and made anew.
    for (v0::Gallery* gallery : {&one, &many}) gallery->identify(pictures(0, 1), small());
    for (int i = 1; i < 5; ++i) {
      for (v0::Gallery* gallery : {&one, &many})
        gallery->merge(fmt::format("person_{}", i), "person_0");
    }
    EXPECT_EQ(v0::to_json(many.people()), v0::to_json(one.people()));
    EXPECT_EQ(v0::to_json(many.identify(pictures(0, 12), small())),
              v0::to_json(one.identify(pictures(0, 12), small())));
    EXPECT_THAT([&] { many.merge("nobody", "person_0"); },
                ThrowsMessage<Error>(HasSubstr("no person named \"nobody\"")));
    EXPECT_THAT([&] { many.merge("person_0", "person_0"); },
                ThrowsMessage<Error>(HasSubstr("is one person already")));
  }
  EXPECT_EQ(v0::check_shards(shards()).photos, 9);
}

TEST_F(ShardsMerge, EndedAtAnyQuestionTheyAreTwoOrOne) {
  int ended = 0;
  for (int left = 0; left < 20; ++left) {
    const std::string from = fmt::format("person_{}", 1 + ended % 8);
    if (v0::Gallery::open(shards(), v0::Access::read).person_count() < 3) break;
    try {
      v0::ShardHolder holder(shards(), {0, 1, 2});
      int questions = left;
      v0::Gallery gallery = v0::open_shards(shards(), v0::Access::write, [&](std::string_view ask) {
        if (questions-- == 0) throw Error("The job has ended.");
        return holder.answer(ask);
      });
      gallery.merge(from, "person_0");
      break;
    } catch (const Error&) {
    }
    const v0::Gallery gallery = v0::Gallery::open(shards(), v0::Access::read);
    std::ptrdiff_t photos = 0;
    bool there = false;
    for (const v0::Person& person : gallery.people()) {
      photos += person.photos;
      there = there || person.name == from;
    }
    EXPECT_EQ(photos, 9) << left;
    EXPECT_EQ(gallery.check().photos, 9);
    if (!there) ++ended;  // who went; the next time somebody else
  }
  EXPECT_GT(ended, 0) << "no question ended the job when all photos had been taken";
}

}  // namespace
}  // namespace longshot
