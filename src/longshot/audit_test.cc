// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "longshot/core/file.h"
#include "longshot/crop_test.h"  // it keeps the two faces apart
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class AuditFace : public testing::Test {
 protected:
  AuditFace() : folder_(fs::path(testing::TempDir()) / fmt::format("audit_face_{}", getpid())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_ = folder_ / "people.gallery";
  }
  ~AuditFace() override { fs::remove_all(folder_); }

  static v0::Picture photo_of(int person, int photo) {
    v0::Picture picture =
        crop_of(take_photo(make_person(3, person), {}, static_cast<std::uint64_t>(photo)).image);
    picture.person = fmt::format("person_{}", person);
    return picture;
  }
  static void enrol(v0::Gallery& gallery, const std::vector<v0::Picture>& photos) {
    v0::EnrollOptions options;
    options.force = true;
    gallery.enroll(photos, options);
  }
  v0::Gallery audited() const {
    v0::Gallery gallery = v0::Gallery::open_or_create(path_);
    enrol(gallery, {photo_of(0, 0), photo_of(1, 0), photo_of(2, 0)});
    gallery.set_audit(true);
    return gallery;
  }
  static v0::IdentifyOptions quick() {
    v0::IdentifyOptions options;
    options.method = "subspace";
    options.size = v0::Size{12, 10};
    return options;
  }
  static std::vector<std::string> acts(const v0::Gallery& gallery) {
    v0::AuditQuery query;
    query.newest_first = false;
    std::vector<std::string> acts;
    for (const v0::AuditEntry& entry : gallery.audit(query).entries) acts.push_back(entry.act);
    return acts;
  }

  fs::path folder_;
  fs::path path_;
};

TEST_F(AuditFace, EveryActIsLogged) {
  v0::Gallery gallery = audited();
  ASSERT_TRUE(gallery.audited());
  enrol(gallery, {photo_of(3, 0), photo_of(0, 1)});
  gallery.identify({photo_of(1, 2)}, quick());
  v0::VerifyOptions verifying;
  verifying.method = "subspace";
  verifying.size = v0::Size{12, 10};
  gallery.verify({photo_of(1, 2)}, "person_1", verifying);
  gallery.compare(photo_of(1, 2), "person_1",
                  {.size = v0::Size{12, 10}, .camera = {}, .photo = 0, .detector = {}});
  gallery.rename("person_1", "Anna");
  gallery.remove_photo("person_0", gallery.photos("person_0").front().id);
  gallery.merge("person_2", "person_0");
  gallery.remove("person_3");
  gallery.export_to(folder_ / "out");
  gallery.backup(folder_ / "copy");
  gallery.compact();
  gallery.import_from(folder_ / "out");
  gallery.record("login failed", {{"address", "127.0.0.1"}});
  EXPECT_THAT(acts(gallery), ElementsAre("audit on", "enroll", "identify", "verify", "compare",
                                         "rename", "remove", "merge", "remove", "export", "backup",
                                         "compact", "import", "login failed"));
  EXPECT_TRUE(gallery.verify_audit().whole);
  EXPECT_THAT(read_file(path_.string() + ".audit"), Not(HasSubstr("person_")));
  EXPECT_THAT(read_file(path_.string() + ".audit"), Not(HasSubstr("Anna")));
}

TEST_F(AuditFace, EntriesNamePeopleWhoAreThereAndPicturesByTheirHash) {
  v0::Gallery gallery = audited();
  const v0::Picture probe = photo_of(1, 2);
  gallery.verify(
      {probe}, "person_1",
      {.method = "subspace", .size = v0::Size{12, 10}, .camera = {}, .fmr = 0.001, .detector = {}});
  gallery.remove("person_2");
  const v0::AuditPage page = gallery.audit();
  ASSERT_EQ(page.entries.size(), 3U);
  EXPECT_EQ(page.entries[0].act, "remove");
  EXPECT_THAT(page.entries[0].people, ElementsAre(testing::StartsWith("#")));
  EXPECT_THAT(page.entries[1].people, ElementsAre("person_1"));
  EXPECT_THAT(page.entries[1].inputs, ElementsAre(gallery.input_hash(probe)));
  EXPECT_NE(gallery.input_hash(photo_of(1, 3)), gallery.input_hash(probe));
  const auto found = [&](const v0::AuditQuery& query) {
    return std::ssize(gallery.audit(query).entries);
  };
  v0::AuditQuery query;
  query.person = "person_2";
  EXPECT_EQ(found(query), 1);
  query = {};
  query.input = gallery.input_hash(probe);
  EXPECT_EQ(found(query), 1);
  query = {};
  query.act = "verify";
  EXPECT_EQ(found(query), 1);
  query.actor = "nobody else";
  EXPECT_EQ(found(query), 0);
}

TEST_F(AuditFace, AnswersNameTheirCamera) {
  v0::Gallery gallery = audited();
  const std::vector<v0::Picture> probes = {photo_of(1, 2)};
  v0::IdentifyOptions asking = quick();
  gallery.identify(probes, asking);
  const std::vector<v0::Picture> crops(5, photo_of(2, 1));
  const v0::Camera learnt = gallery.learn_camera(crops, {v0::Size{12, 10}, {}}).camera;
  EXPECT_EQ(learnt.name(), "");
  learnt.write(folder_ / "door.camera");
  asking.camera = v0::Camera::read(folder_ / "door.camera");
  gallery.identify(probes, asking);
  gallery.verify(
      probes, "person_1",
      {.method = "subspace", .size = {}, .camera = asking.camera, .fmr = 0.001, .detector = {}});
  v0::AuditQuery query;
  query.camera = "door";
  const v0::AuditPage page = gallery.audit(query);
  ASSERT_EQ(page.entries.size(), 2U);
  EXPECT_EQ(page.entries[0].act, "verify");
  EXPECT_EQ(page.entries[1].act, "identify");
  query.camera = "gate";
  EXPECT_TRUE(gallery.audit(query).entries.empty());
}

TEST_F(AuditFace, PagesFollowEachOther) {
  v0::Gallery gallery = audited();
  for (int i = 2; i <= 7; ++i) gallery.record(fmt::format("act {}", i));
  v0::AuditQuery query;
  query.limit = 3;
  v0::AuditPage page = gallery.audit(query);
  EXPECT_TRUE(page.more);
  EXPECT_EQ(page.entries.front().number, 7);
  query.before = page.entries.back().number;
  page = gallery.audit(query);
  EXPECT_EQ(page.entries.front().number, 4);
  query.before = page.entries.back().number;
  page = gallery.audit(query);
  EXPECT_EQ(page.entries.size(), 1U);
  EXPECT_FALSE(page.more);
  query.newest_first = false;
  query.before = 0;
  query.after = 2;
  page = gallery.audit(query);
  EXPECT_EQ(page.entries.front().number, 3);
  EXPECT_EQ(page.entries.back().number, 5);
  EXPECT_TRUE(page.more);
  EXPECT_THAT(to_json(page), HasSubstr("\"act\": \"act 3\""));
  query.limit = 0;
  EXPECT_THROW(gallery.audit(query), Error);
}

TEST_F(AuditFace, ACallerSaysWhoActs) {
  v0::Gallery gallery = audited();
  v0::run_as("token door", [&] {
    gallery.rename("person_1", "Anna");
    std::thread([&] { gallery.record("of another thread"); }).join();
  });
  gallery.record("later");
  const v0::AuditPage page = gallery.audit();
  EXPECT_NE(page.entries[0].actor, "token door");
  EXPECT_NE(page.entries[1].actor, "token door");
  EXPECT_EQ(page.entries[2].actor, "token door");
  EXPECT_EQ(page.entries[2].uid, ::geteuid());
  EXPECT_THROW(v0::run_as("two\nlines", [] {}), Error);
}

TEST_F(AuditFace, WhatCannotBeLoggedIsNotDone) {
  v0::Gallery gallery = audited();
  fs::remove(path_.string() + ".audit");
  const auto refused = [](const auto& act) {
    try {
      act();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("Refused"));
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refused([&] { gallery.remove("person_1"); }));
  EXPECT_TRUE(refused([&] { enrol(gallery, {photo_of(3, 0)}); }));
  EXPECT_TRUE(refused([&] { gallery.identify({photo_of(1, 2)}, quick()); }));
  EXPECT_TRUE(refused([&] { gallery.export_to(folder_ / "out"); }));
  EXPECT_TRUE(refused([&] { gallery.backup(folder_ / "copy"); }));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  EXPECT_FALSE(fs::exists(folder_ / "copy"));
  EXPECT_EQ(gallery.person_count(), 3);
}

TEST_F(AuditFace, ALogWithOneWordChangedIsNotShown) {
  const v0::Gallery made = audited();
  v0::Gallery::open(path_).record("login failed");
  const fs::path log = path_.string() + ".audit";
  std::string text = read_file(log);
  const std::size_t at = text.find("login failed");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 5, "logon");
  write_file(log, text);
  try {
    made.audit();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::damaged);
  }
  EXPECT_FALSE(made.verify_audit().whole);
}

TEST_F(AuditFace, ReadersLogToo) {
  audited().prepare({12, 10}, "subspace");
  v0::Gallery reader = v0::Gallery::open(path_, v0::Access::read);
  reader.identify({photo_of(1, 2)}, quick());
  EXPECT_THAT(acts(reader), ElementsAre("audit on", "identify"));
}

TEST_F(AuditFace, ABackupHasItsOwnLog) {
  v0::Gallery gallery = audited();
  gallery.backup(folder_ / "copy");
  gallery.record("only here");
  v0::Gallery copy = v0::Gallery::open(folder_ / "copy");
  EXPECT_TRUE(copy.verify_audit().whole);
  copy.record("only there");
  EXPECT_THAT(acts(copy), ElementsAre("audit on", "backup", "only there"));
  EXPECT_THAT(acts(gallery), ElementsAre("audit on", "backup", "only here"));
}

TEST_F(AuditFace, WhoIsImportedElsewhereHasLeft) {
  v0::Gallery gallery = audited();
  v0::Gallery other = v0::Gallery::open_or_create(folder_ / "other");
  EXPECT_EQ(other.import_from(path_).people, 3);
  EXPECT_THAT(acts(gallery), ElementsAre("audit on", "export"));
}

TEST_F(AuditFace, LongListsTakeSeveralLines) {
  v0::Gallery gallery = audited();
  std::vector<v0::Picture> probes(300, photo_of(1, 2));
  gallery.identify(probes, quick());
  const v0::AuditPage page = gallery.audit();
  ASSERT_EQ(page.entries.size(), 3U);
  EXPECT_EQ(page.entries[0].inputs.size(), 44U);
  EXPECT_EQ(page.entries[1].inputs.size(), 256U);
}

TEST_F(AuditFace, EncryptionIsLoggedAndSealsWhatFollows) {
  const fs::path key_file = folder_ / "key";
  write_file(key_file, std::string(32, 'k'));
  audited();
  const v0::Key key = v0::Key::from_file(key_file);
  v0::encrypt_gallery(path_, key);
  v0::rekey_gallery(path_, key, key);
  {
    v0::Gallery gallery = v0::Gallery::open(path_, v0::Access::write, key);
    v0::run_as("Sherlock", [&] { gallery.record("deduction"); });
    EXPECT_THAT(acts(gallery), ElementsAre("audit on", "encrypt", "rekey", "deduction"));
    EXPECT_TRUE(gallery.verify_audit().whole);
  }
  EXPECT_THAT(read_file(path_.string() + ".audit"), Not(HasSubstr("Sherlock")));
  v0::decrypt_gallery(path_, key);
  EXPECT_THAT(acts(v0::Gallery::open(path_)),
              ElementsAre("audit on", "encrypt", "rekey", "deduction", "decrypt"));
}

}  // namespace
}  // namespace longshot
