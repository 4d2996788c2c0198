// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/audit_log.h"

#include <fstream>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

AuditAct some_act(const std::string& act, std::vector<std::string> people = {}) {
  AuditAct result;
  result.act = act;
  result.people = std::move(people);
  return result;
}

class AuditLog : public ScratchTest {
 protected:
  GalleryStore audited(const GalleryKey::Shared& key = nullptr) const {
    GalleryStore gallery(path_, GalleryStore::Access::kCreate, {.key = key});
    set_audit(gallery, true, "tester");
    return gallery;
  }
  // "audit on" and four acts after it.
  GalleryStore five_lines() const {
    GalleryStore gallery = audited();
    for (const char* act : {"two", "three", "four", "five"}) {
      append_audit(gallery, {some_act(act)});
    }
    return gallery;
  }
  std::filesystem::path log() const { return path_.string() + ".audit"; }
  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    std::ifstream file(log());
    for (std::string line; std::getline(file, line);) lines.push_back(line + "\n");
    return lines;
  }
  void write_lines(const std::vector<std::string>& lines) const {
    std::string text;
    for (const std::string& line : lines) text += line;
    write_file(log(), text);
  }
  static std::vector<std::string> acts(const GalleryStore& gallery) {
    std::vector<std::string> acts;
    read_audit(gallery, [&](const AuditRecord& record) {
      acts.push_back(record.act);
      return true;
    });
    return acts;
  }
};

TEST_F(AuditLog, IsOffUntilAGalleryAsksForIt) {
  GalleryStore gallery(path_, GalleryStore::Access::kCreate);
  EXPECT_FALSE(is_audited(gallery));
  append_audit(gallery, {some_act("identify")});
  EXPECT_FALSE(std::filesystem::exists(log()));
  EXPECT_THAT(message_of([&] { verify_audit(gallery); }), HasSubstr("has no audit log"));
}

TEST_F(AuditLog, SaysWhoDidWhatWhen) {
  GalleryStore gallery = audited();
  AuditAct act = some_act("identify", {"Anna"});
  act.actor = "the door";
  act.inputs = {"0123"};
  act.details = {{"answers", "1"}};
  append_audit(gallery, {act, some_act("verify")});
  std::vector<AuditRecord> records;
  read_audit(gallery, [&](const AuditRecord& record) {
    records.push_back(record);
    return true;
  });
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].act, "audit on");
  EXPECT_EQ(records[0].actor, "tester");
  EXPECT_EQ(records[0].revision, 1);
  EXPECT_EQ(records[1].number, 2);
  EXPECT_EQ(records[1].actor, "the door");
  EXPECT_EQ(records[1].uid, ::geteuid());
  EXPECT_EQ(records[1].revision, 1);
  EXPECT_EQ(records[1].time.size(), 20U);
  EXPECT_THAT(records[1].people, ElementsAre(audit_keys(gallery).person_hash("Anna")));
  EXPECT_EQ(records[1].inputs, act.inputs);
  EXPECT_EQ(records[1].details, act.details);
  EXPECT_FALSE(records[2].actor.empty());
  EXPECT_EQ(gallery.revision(), 1);  // nothing that is cached is forgotten for a line
}

TEST_F(AuditLog, IsPrivateAndHoldsNoNames) {
  GalleryStore gallery = audited();
  append_audit(gallery, {some_act("remove", {"Philippa Longname"})});
  struct stat status {};
  ASSERT_EQ(::stat(log().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_THAT(read_file(log()), Not(HasSubstr("Philippa")));
  EXPECT_THAT(read_file(path_), Not(HasSubstr("Philippa")));
}

TEST_F(AuditLog, OfAnEncryptedGalleryIsSealed) {
  const auto key = GalleryKey::from_passphrase("correct horse");
  GalleryStore gallery = audited(key);
  AuditAct act = some_act("identify", {"Anna"});
  act.actor = "Sherlock";
  append_audit(gallery, {act});
  const std::string bytes = read_file(log());
  for (const char* word : {"Sherlock", "identify", "tester", "revision", "audit on"}) {
    EXPECT_THAT(bytes, Not(HasSubstr(word)));
  }
  EXPECT_TRUE(verify_audit(gallery).whole());
  EXPECT_THAT(acts(gallery), ElementsAre("audit on", "identify"));
}

TEST_F(AuditLog, ALineStandsForAChangeThatWasMade) {
  GalleryStore gallery = audited();
  {
    GalleryTransaction transaction(gallery);
    gallery.add_person("Anna");
    AuditAct act = some_act("enroll");
    act.changes = true;
    append_audit(gallery, {act});
    // It is taken back.
  }
  EXPECT_THAT(acts(gallery), ElementsAre("audit on"));
  EXPECT_TRUE(verify_audit(gallery).whole());
  EXPECT_GT(verify_audit(gallery).unconfirmed, 0);
  append_audit(gallery, {some_act("identify")});
  std::int64_t unconfirmed = 0;
  read_audit(gallery, [&](const AuditRecord& record) {
    unconfirmed += record.unconfirmed;
    return true;
  });
  EXPECT_EQ(unconfirmed, 1);
  EXPECT_THAT(acts(gallery), ElementsAre("audit on", "enroll", "identify"));
  EXPECT_TRUE(verify_audit(gallery).whole());
  EXPECT_EQ(verify_audit(gallery).unconfirmed, 0);
}

TEST_F(AuditLog, ATornLineIsCutOff) {
  GalleryStore gallery = five_lines();
  const std::string whole = read_file(log());
  for (const std::string& torn :
       {std::string("deadbeef"), std::string(5000, '\0'), std::string("garbage\nand more"),
        whole.substr(0, 200), std::string(std::size_t{3} << 20U, 'x')}) {
    write_file(log(), read_file(log()) + torn);
    EXPECT_TRUE(verify_audit(gallery).whole());
    EXPECT_EQ(verify_audit(gallery).unconfirmed, std::ssize(torn));
    append_audit(gallery, {some_act("next")});
    EXPECT_TRUE(verify_audit(gallery).whole());
    EXPECT_EQ(verify_audit(gallery).unconfirmed, 0);
  }
  EXPECT_EQ(verify_audit(gallery).lines, 10);
}

TEST_F(AuditLog, VerifyNamesTheFirstChangedLine) {
  const GalleryStore gallery = five_lines();
  ASSERT_TRUE(verify_audit(gallery).whole());
  ASSERT_EQ(verify_audit(gallery).lines, 5);
  const std::vector<std::string> whole = lines();
  for (std::size_t line = 0; line < whole.size(); ++line) {
    for (const std::size_t byte : {std::size_t{3}, std::size_t{70}, whole[line].size() - 4}) {
      std::vector<std::string> changed = whole;
      changed[line][byte] = changed[line][byte] == '0' ? '1' : '0';
      write_lines(changed);
      const AuditVerdict verdict = verify_audit(gallery);
      EXPECT_THAT(verdict.finding, StartsWith(fmt::format("Line {} was changed", line + 1)));
      EXPECT_EQ(verdict.lines, static_cast<std::int64_t>(line));
    }
  }
}

TEST_F(AuditLog, VerifyNamesTheFirstMissingOrMovedLine) {
  const GalleryStore gallery = five_lines();
  const std::vector<std::string> l = lines();
  const auto finding = [&](const std::vector<std::string>& changed) {
    write_lines(changed);
    return verify_audit(gallery).finding;
  };
  EXPECT_EQ(finding({l[0], l[1], l[3], l[4]}), "Line 3 is missing: line 4 stands in its place.");
  EXPECT_EQ(finding({l[1], l[2], l[3], l[4]}), "Line 1 is missing: line 2 stands in its place.");
  EXPECT_EQ(finding({l[0], l[2], l[1], l[3], l[4]}),
            "Line 2 was moved: line 3 stands in its place.");
  EXPECT_EQ(finding({l[0], l[1], l[1], l[2], l[3], l[4]}),
            "Line 3 was moved: line 2 stands in its place.");
  EXPECT_EQ(finding({l[0], l[1], l[2]}), "Lines 4 to 5 are missing at the end.");
  EXPECT_EQ(finding({}), "Lines 1 to 5 are missing at the end.");
  EXPECT_EQ(finding({l[0], l[1], l[2], l[3], l[4].substr(0, 80)}),
            "Lines 5 to 5 are missing at the end.");
  EXPECT_EQ(finding(l), "");
}

TEST_F(AuditLog, WithTheChainOfAnotherKeyNoLineFits) {
  const GalleryStore gallery = five_lines();
  path_ = folder_ / "other.gallery";
  five_lines();
  const std::string foreign = read_file(log());
  path_ = folder_ / "people.gallery";
  write_file(log(), foreign);
  EXPECT_EQ(verify_audit(gallery).finding, "Line 1 was changed.");
}

TEST_F(AuditLog, WithoutItsLogNothingIsDone) {
  GalleryStore gallery = five_lines();
  std::filesystem::rename(log(), folder_ / "elsewhere");
  const std::string refused = message_of([&] { append_audit(gallery, {some_act("identify")}); });
  EXPECT_THAT(refused, StartsWith("Refused, as identify cannot be logged: "));
  EXPECT_THAT(refused, HasSubstr("has lost lines"));
  std::filesystem::remove(log());
  std::filesystem::create_directory(log());
  EXPECT_THAT(message_of([&] { append_audit(gallery, {some_act("identify")}); }),
              HasSubstr("Is a directory"));
  std::filesystem::remove(log());
  std::filesystem::create_symlink(folder_ / "elsewhere", log());
  EXPECT_THAT(message_of([&] { append_audit(gallery, {some_act("identify")}); }),
              StartsWith("Refused"));
  // It can be given up, and begun anew.
  std::filesystem::remove(log());
  set_audit(gallery, false, "tester");
  append_audit(gallery, {some_act("identify")});
  set_audit(gallery, true, "tester");
  EXPECT_THAT(acts(gallery), ElementsAre("audit on"));
}

TEST_F(AuditLog, GoesOnWhenItIsTurnedOnAgain) {
  GalleryStore gallery = audited();
  set_audit(gallery, true, "tester");
  set_audit(gallery, false, "tester");
  append_audit(gallery, {some_act("identify")});
  set_audit(gallery, true, "tester");
  EXPECT_THAT(acts(gallery), ElementsAre("audit on", "audit off", "audit on"));
  EXPECT_TRUE(verify_audit(gallery).whole());
}

TEST_F(AuditLog, AForeignLogIsNotTakenForANewOne) {
  write_file(log(), "something\n");
  GalleryStore gallery(path_, GalleryStore::Access::kCreate);
  EXPECT_THAT(message_of([&] { set_audit(gallery, true, ""); }), HasSubstr("move it away first"));
  EXPECT_FALSE(is_audited(gallery));
  EXPECT_EQ(read_file(log()), "something\n");
}

TEST_F(AuditLog, AnOlderGalleryPutBackIsTold) {
  {
    GalleryStore gallery = audited();
    gallery.give_back_unused();
  }
  const std::string older = read_file(path_);
  {
    GalleryStore gallery(path_, GalleryStore::Access::kWrite);
    append_audit(gallery, {some_act("remove"), some_act("export")});
  }
  write_file(path_, older);
  GalleryStore gallery(path_, GalleryStore::Access::kWrite);
  EXPECT_GT(verify_audit(gallery).unconfirmed, 0);
  append_audit(gallery, {some_act("identify")});
  EXPECT_THAT(acts(gallery), ElementsAre("audit on", "remove", "export", "identify"));
  std::int64_t told = 0;
  read_audit(gallery, [&](const AuditRecord& record) {
    told = record.unconfirmed;
    return true;
  });
  EXPECT_EQ(told, 2);
}

TEST_F(AuditLog, ADamagedHeadIsDamage) {
  GalleryStore gallery = audited();
  for (const char* head : {"x", "1 2", "1 2 zz", "-1 5 00"}) {
    gallery.set_setting("audit head", head);
    EXPECT_THAT(message_of([&] { verify_audit(gallery); }), HasSubstr("is damaged")) << head;
  }
}

}  // namespace
}  // namespace longshot
