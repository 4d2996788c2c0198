// SPDX-License-Identifier: Apache-2.0
// Encrypted galleries from the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/file.h"
#include "longshot/synthetic/synthetic_set.h"

#include "run_program.h"

namespace longshot {
namespace {

using testing::HasSubstr;
using testing::Not;

class Encryption : public testing::Test {
 protected:
  Encryption() {
    SyntheticSetOptions options;
    options.people = 3;
    options.photos = 2;
    write_synthetic_set(folder_ / "people", options);
    write_file(folder_ / "key", std::string(32, 'k'));
    write_file(folder_ / "other", std::string(32, 'o'));
    write_file(folder_ / "short", "hunter2 is short");
  }
  ProgramResult run(const std::string& command) const {
    return run_longshot("--quiet " + command, folder_.path());
  }

  ScratchFolder folder_;
};

TEST_F(Encryption, EveryCommandTakesAKeyFile) {
  ASSERT_EQ(run("enroll people --gallery g --key-file key").exit_code, 0);
  EXPECT_THAT(read_file(folder_ / "g"), Not(HasSubstr("person_0")));
  EXPECT_THAT(run("people list --gallery g --key-file key").out, HasSubstr("person_00002"));
  const ProgramResult answer = run(
      "identify people/person_00001/00.png --gallery g --key-file key --size 12x10 --method slrfr");
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("person_00001"));
  EXPECT_EQ(run("people rename person_00001 anna --gallery g --key-file key").exit_code, 0);
  EXPECT_EQ(run("verify people/person_00001/00.png --person anna --gallery g --key-file key "
                "--size 12x10 --method slrfr")
                .err,
            "");
}

TEST_F(Encryption, WithoutItsKeyThereIsOneSentence) {
  ASSERT_EQ(run("enroll people --gallery g --key-file key").exit_code, 0);
  const auto refused = [&](const std::string& options) {
    const ProgramResult result = run("people list --gallery g " + options);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_EQ(refused(""),
            "longshot: The gallery g is encrypted: its key is needed (--key-file FILE).\n");
  EXPECT_EQ(refused("--key-file other"), "longshot: The key does not open the gallery g.\n");
  EXPECT_THAT(refused("--key-file none"), HasSubstr("No such file"));
  const std::string message = refused("--key-file short");
  EXPECT_THAT(message, HasSubstr("32 to 4096 bytes"));
  EXPECT_THAT(message, Not(HasSubstr("hunter2")));
}

TEST_F(Encryption, FoldersOfShardsAreEncryptedAndDecrypted) {
  ASSERT_EQ(run("enroll people --gallery g --key-file key").exit_code, 0);
  EXPECT_EQ(run("gallery split g --shards 2 --out s").exit_code, 2);
  ASSERT_EQ(run("gallery split g --shards 2 --out s --key-file key").exit_code, 0);
  EXPECT_EQ(run("gallery rekey s --key-file key --new-key-file other").out, "s has another key\n");
  EXPECT_EQ(run("people list --gallery s --key-file key").err,
            "longshot: The key does not open the gallery s/shared.gallery.\n");
  EXPECT_THAT(run("gallery add-shard s --key-file other").out,
              HasSubstr("s has 3 shards, 3 people"));
  EXPECT_THAT(run("gallery rebalance s --key-file other").out, HasSubstr("0 have moved"));
  EXPECT_EQ(run("gallery check s --key-file other").exit_code, 0);
  EXPECT_EQ(run("gallery merge s --out m --key-file other").exit_code, 0);
  EXPECT_THAT(read_file(folder_ / "m"), Not(HasSubstr("person_0")));
  EXPECT_EQ(run("gallery decrypt s --key-file other").exit_code, 0);
  EXPECT_THAT(run("people list --gallery s").out, HasSubstr("person_00002"));
  // As a kill leaves it.
  std::string manifest = read_file(folder_ / "s" / "manifest.json");
  manifest.replace(manifest.find("\"models\""), 0, "\"sealing\": \"encrypt\", ");
  write_file(folder_ / "s" / "manifest.json", manifest);
  EXPECT_EQ(run("people list --gallery s").err,
            "longshot: s is encrypted in part: encrypt it once more (longshot gallery encrypt "
            "FOLDER) with the same key, or decrypt it with that key.\n");
  EXPECT_EQ(run("gallery encrypt s --key-file key").exit_code, 0);
  EXPECT_THAT(run("people list --gallery s --key-file key").out, HasSubstr("person_00002"));
}

TEST_F(Encryption, GalleriesAreEncryptedAndDecrypted) {
  ASSERT_EQ(run("enroll people --gallery g").exit_code, 0);
  EXPECT_THAT(read_file(folder_ / "g"), HasSubstr("person_00002"));
  EXPECT_EQ(run("gallery encrypt g").exit_code, 2);
  const ProgramResult encrypted = run("gallery encrypt g --key-file key");
  EXPECT_EQ(encrypted.exit_code, 0) << encrypted.err;
  EXPECT_THAT(read_file(folder_ / "g"), Not(HasSubstr("person_0")));
  EXPECT_EQ(run("gallery encrypt g --key-file key").exit_code, 2);
  EXPECT_EQ(run("gallery rekey g --key-file key").exit_code, 2);
  EXPECT_EQ(run("gallery rekey g --key-file other --new-key-file key").exit_code, 2);
  EXPECT_EQ(run("gallery rekey g --key-file key --new-key-file other").exit_code, 0);
  EXPECT_EQ(run("people list --gallery g --key-file key").exit_code, 2);
  EXPECT_EQ(run("gallery rekey g --key-file other --new-key-file key --full").exit_code, 0);
  EXPECT_THAT(run("people list --gallery g --key-file key").out, HasSubstr("person_00002"));
  EXPECT_EQ(run("gallery decrypt g --key-file other").exit_code, 2);
  EXPECT_EQ(run("gallery decrypt g --key-file key").exit_code, 0);
  EXPECT_THAT(run("people list --gallery g").out, HasSubstr("person_00002"));
}

TEST_F(Encryption, WhatLeavesAnEncryptedGalleryStaysEncrypted) {
  ASSERT_EQ(run("enroll people --gallery g --key-file key").exit_code, 0);
  EXPECT_EQ(run("doctor --gallery g").exit_code, 1);
  EXPECT_EQ(run("doctor --gallery g --key-file key").exit_code, 0);
  EXPECT_EQ(run("gallery check g --key-file key").exit_code, 0);
  EXPECT_EQ(run("gallery compact g --key-file key --cache 0").exit_code, 0);
  const ProgramResult copied = run("gallery backup g --key-file key --out copy");
  ASSERT_EQ(copied.exit_code, 0) << copied.err;
  for (const char* file : {"g", "copy"}) {
    EXPECT_THAT(read_file(folder_ / file), Not(HasSubstr("person_0"))) << file;
  }
  EXPECT_THAT(run("people list --gallery copy --key-file key").out, HasSubstr("person_00002"));
  EXPECT_EQ(run("people list --gallery copy --key-file other").exit_code, 2);
  const ProgramResult imported = run("gallery import new --key-file key --from copy");
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(read_file(folder_ / "new"), Not(HasSubstr("person_0")));
}

TEST_F(Encryption, AKeyComesThroughADescriptor) {
  ASSERT_EQ(run("enroll people --gallery g --key-file key").exit_code, 0);
  EXPECT_THAT(run("people list --gallery g 3<key").err, HasSubstr("its key is needed"));
  const std::string listed = "LONGSHOT_KEY_FD=3 " LONGSHOT_PROGRAM " people list --gallery ";
  const std::string there = "cd " + folder_.path() + " && ";
  EXPECT_EQ(std::system((there + listed + "g 3<key >out 2>err").c_str()), 0);
  EXPECT_THAT(read_file(folder_ / "out"), HasSubstr("person_00002"));
  EXPECT_NE(std::system((there + listed + "g >out 2>err").c_str()), 0);
  EXPECT_THAT(read_file(folder_ / "err"), HasSubstr("Bad file descriptor"));
}

TEST_F(Encryption, OtherFilesAreSealedWithTheSameKeys) {
  ASSERT_EQ(run("enroll people --gallery g").exit_code, 0);
  ASSERT_EQ(run("people list --gallery g --json plain.json").exit_code, 0);
  ASSERT_EQ(run("people list --gallery g --json | " LONGSHOT_PROGRAM
                " seal - --key-file key --out sealed")
                .exit_code,
            0);
  EXPECT_THAT(read_file(folder_ / "sealed"), Not(HasSubstr("person_0")));
  ASSERT_EQ(run("unseal sealed --key-file key --out again.json").exit_code, 0);
  EXPECT_EQ(read_file(folder_ / "again.json"), read_file(folder_ / "plain.json"));
  for (const char* name : {"sealed", "again.json"}) {
    EXPECT_EQ(std::filesystem::status(folder_ / name).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write)
        << name;
  }
  EXPECT_EQ(run("unseal sealed --key-file key --out -").out, read_file(folder_ / "plain.json"));
}

TEST_F(Encryption, ASealedFileIsRefusedInOneSentence) {
  write_file(folder_ / "plain", "Ada Lovelace");
  ASSERT_EQ(run("seal plain --key-file key --out sealed").exit_code, 0);
  const auto refused = [&](const std::string& command) {
    const ProgramResult result = run(command + " --out opened");
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "opened")) << command;
    return result.err;
  };
  EXPECT_EQ(refused("unseal sealed"),
            "longshot: To open sealed, its key is needed (--key-file FILE).\n");
  EXPECT_EQ(refused("seal plain"),
            "longshot: To seal a file, its key is needed (--key-file FILE).\n");
  EXPECT_EQ(refused("unseal sealed --key-file other"), "longshot: The key does not open sealed.\n");
  EXPECT_EQ(refused("unseal plain --key-file key"), "longshot: plain is not a sealed file.\n");
  EXPECT_THAT(run("enroll people --gallery g --model sealed").err,
              HasSubstr("sealed is sealed: unseal it first (longshot unseal FILE"));
  ASSERT_EQ(run("enroll people --gallery g").exit_code, 0);
  EXPECT_THAT(run("identify people --gallery g --size 7x6 --method slrfr --camera sealed").err,
              HasSubstr("sealed is sealed"));
  EXPECT_THAT(refused("unseal nothing --key-file key"), HasSubstr("No such file"));
  const std::string sealed = read_file(folder_ / "sealed");
  write_file(folder_ / "cut", sealed.substr(0, sealed.size() - 1));
  EXPECT_THAT(refused("unseal cut --key-file key"), HasSubstr("cut is damaged"));
}

// It waits for its new key, so that it can be looked at, and is ended as a crash would end it.
TEST_F(Encryption, WithAKeyThereIsNoCoreDump) {
  ASSERT_EQ(run("enroll people --gallery g --key-file key").exit_code, 0);
  write_file(folder_ / "look.sh",
             "mkfifo new\n"
             "ulimit -c unlimited\n" LONGSHOT_PROGRAM
             " gallery rekey g --key-file key --new-key-file new &\n"
             "until grep -q '^Max core file size *0 ' /proc/$!/limits; do kill -0 $! || exit 1; "
             "done\n"
             "kill -ABRT $!\n"
             "wait $!\n"
             "test $? -eq 134 && ! ls | grep core\n");
  const std::string command = "cd " + folder_.path() + " && timeout 60 sh look.sh >out 2>err";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(folder_ / "err");
}

}  // namespace
}  // namespace longshot
