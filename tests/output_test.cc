// SPDX-License-Identifier: Apache-2.0
// Where results and messages cannot go: closed, full or linked outputs lose nothing.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "longshot/core/file.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/synthetic/synthetic_set.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

class Output : public testing::Test {
 protected:
  Output() {
    SyntheticSetOptions options;
    options.people = 3;
    options.photos = 2;
    write_synthetic_set(folder_ / "people", options);
    EXPECT_EQ(
        shell("$longshot enroll people/person_00000/00.png --aligned --person anna --gallery g"),
        0);
  }
  // The exit code, or 128 + the signal as shells say; $longshot is the program.
  int shell(const std::string& command) const {
    const int status = std::system(("cd " + folder_.path() + " && longshot='" + LONGSHOT_PROGRAM +
                                    " --quiet' && ( " + command + " ) >out 2>err")
                                       .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string file(const std::string& name) const { return read_file(folder_ / name); }
  bool has(const std::string& person) const {
    return GalleryStore(folder_ / "g", GalleryStore::Access::kRead).find_person(person).has_value();
  }

  ScratchFolder folder_;
};

TEST_F(Output, AClosedOrFullStderrIsNoReasonToEnd) {
  for (const char* where : {"2>&-", "2>/dev/full", ">&- 2>&-"}) {
    EXPECT_EQ(shell(std::string("$longshot people show nobody --gallery g ") + where), 2) << where;
  }
  write_file(folder_ / "people/person_00001/00.png", "not a picture");
  EXPECT_EQ(shell("$longshot enroll people --gallery g 2>&-"), 1);
  EXPECT_TRUE(has("person_00002"));
  EXPECT_EQ(shell("$longshot enroll people --gallery h 2>/dev/full"), 1);
}

TEST_F(Output, AFailureOfTheFileSystemIsASentence) {
  const std::string name(300, 'a');
  EXPECT_EQ(shell("$longshot degrade " + name + " --size 7x6 --out o.png"), 2);
  EXPECT_EQ(file("err"), "longshot: " + name + ": File name too long.\n");
}

TEST_F(Output, NoOutputBecomesAFileOfOurs) {
  EXPECT_EQ(shell("$longshot identify people --gallery g --size 7x6 --method slrfr --csv a.csv "
                  "<&- >&- 2>&-"),
            0);
  EXPECT_THAT(file("a.csv"), StartsWith("path,size,decision"));
}

TEST_F(Output, SaysWhatItWroteAndHowManyAreKnown) {
  EXPECT_EQ(
      shell(
          "${longshot% --quiet} identify people --gallery g --size 7x6 --method slrfr --csv a.csv "
          "--csv-bom --report r.html"),
      0);
  EXPECT_THAT(file("a.csv"), StartsWith("\xEF\xBB\xBFpath,size,decision"));
  EXPECT_THAT(file("err"), HasSubstr("a.csv: "));
  EXPECT_THAT(file("err"), HasSubstr(" unknown, 0 without an answer"));
  EXPECT_THAT(file("r.html"), HasSubstr("identify people --gallery g"));
  EXPECT_EQ(file("out"), "");
}

TEST_F(Output, TheTableSaysHowFarFromTheThresholdAndWhatThatMeans) {
  const std::string probe = " people/person_00000/01.png --aligned --gallery g --size 7x6 ";
  EXPECT_EQ(shell("$longshot identify" + probe), 0) << file("err");
  EXPECT_THAT(file("out"), ContainsRegex("decision +margin +ratio +candidates"));
  EXPECT_THAT(file("out"), ContainsRegex("known +[-+][0-9.]+ +[0-9.e+-]+ +anna [01][.][0-9]+"));
  EXPECT_THAT(file("out"), HasSubstr("calibrated on the people of the gallery"));
  EXPECT_THAT(file("out"), HasSubstr("a candidate for a person to check, never proof"));
  EXPECT_THAT(shell("$longshot verify" + probe + "--person anna"), AnyOf(0, 3));
  EXPECT_THAT(file("out"), ContainsRegex("match from [0-9.]+, margin [-+][0-9.]+, likelihood "
                                         "ratio [0-9.e+-]+"));
}

TEST_F(Output, CsvAlsoGoesToStandardOutput) {
  const std::string identify =
      "$longshot identify people/person_00000/01.png --aligned --gallery g --size 7x6 --csv - ";
  EXPECT_EQ(shell(identify), 0) << file("err");
  EXPECT_THAT(file("out"), StartsWith("path,size,decision"));
  EXPECT_FALSE(fs::exists(folder_ / "-"));
  EXPECT_EQ(shell(identify + "--json"), 2);
  EXPECT_THAT(file("err"), HasSubstr("cannot both go to standard output"));
}

TEST_F(Output, AMadeChangeIsNotCalledNothing) {
  EXPECT_EQ(shell("$longshot people rename anna berta --gallery g >/dev/full"), 1);
  EXPECT_THAT(file("err"), HasSubstr("It is done, but: Cannot write the result"));
  EXPECT_TRUE(has("berta"));
  EXPECT_EQ(shell("$longshot people rename berta anna --gallery g >&-"), 1);
  EXPECT_TRUE(has("anna"));
  EXPECT_EQ(shell("$longshot people remove anna --gallery g --json /dev/full"), 1);
  EXPECT_FALSE(has("anna"));
  EXPECT_EQ(shell("$longshot enroll people --gallery g >/dev/full"), 1);
  EXPECT_TRUE(has("person_00002"));
  EXPECT_EQ(shell("$longshot synth --people 2 --photos 1 --out more >/dev/full"), 1);
  EXPECT_EQ(shell("$longshot people list --gallery g >/dev/full"), 2);
}

TEST_F(Output, LinksStayWhatTheyAre) {
  fs::create_symlink("/dev/stdout", folder_ / "link.csv");
  const std::string identify =
      "$longshot identify people/person_00000/01.png --aligned --gallery g --size 7x6 --method "
      "slrfr --csv ";
  EXPECT_EQ(shell(identify + "link.csv"), 0) << file("err");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.csv"));
  EXPECT_THAT(file("out"), StartsWith("path,size,decision"));
  EXPECT_EQ(shell(identify + "/dev/stdout"), 0) << file("err");
  EXPECT_TRUE(fs::is_symlink("/dev/stdout"));
  EXPECT_THAT(file("out"), StartsWith("path,size,decision"));
  fs::create_symlink("real.csv", folder_ / "other.csv");
  EXPECT_EQ(shell(identify + "other.csv"), 0) << file("err");
  EXPECT_TRUE(fs::is_symlink(folder_ / "other.csv"));
  EXPECT_THAT(file("real.csv"), StartsWith("path,size,decision"));
}

TEST_F(Output, TooLittleAddressSpaceIsOneSentence) {
  for (const char* kilobytes : {"300000", "500000", "700000"}) {
    EXPECT_EQ(shell("ulimit -v " + std::string(kilobytes) +
                    "; timeout -s KILL 60 $longshot people list --gallery g"),
              2)
        << kilobytes;
    EXPECT_THAT(file("err"), StartsWith("longshot: There is too little address space"));
    EXPECT_EQ(file("out"), "");
  }
}

TEST_F(Output, TheFirstSignalEndsIt) {
  // Nobody ever writes to the pipe, so that no checkpoint is reached.
  EXPECT_EQ(shell("mkfifo pipe; timeout -k 60 2 $longshot enroll --model pipe --gallery g"), 124);
}

TEST_F(Output, ALimitOfFileSizeLeavesNoPart) {
  EXPECT_EQ(shell("$longshot synth --people 22 --photos 1 --out many"), 0);
  EXPECT_EQ(shell("ulimit -f 4; $longshot train many --out m.model"), 2);
  EXPECT_THAT(file("err"), HasSubstr("File too large"));
  EXPECT_EQ(shell("ulimit -f 4; $longshot enroll many --gallery new"), 2);
  for (const auto& entry : fs::directory_iterator(folder_ / ".")) {
    const std::string name = entry.path().filename().string();
    EXPECT_FALSE(name.starts_with("m.model") || name.starts_with("new")) << name;
  }
}

}  // namespace
}  // namespace longshot
