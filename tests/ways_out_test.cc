// SPDX-License-Identifier: Apache-2.0
// What the command line says beyond the library's sentence: which option is the way out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/file.h"
#include "longshot/core/test_data.h"
#include "longshot/synthetic/synthetic_set.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class WaysOut : public testing::Test {
 protected:
  WaysOut() {
    SyntheticSetOptions options;
    options.people = 3;
    options.photos = 2;
    write_synthetic_set(folder_ / "people", options);
    // Squares of 8 pixels, at which nobody looks back.
    std::string board = "P5 200 200 255\n";
    for (int i = 0; i < 200 * 200; ++i) {
      board += (i / 1600 + i % 200 / 8) % 2 == 0 ? '\x28' : '\x64';
    }
    write_file(folder_ / "board.pgm", board);
  }
  ProgramResult run(const std::string& command) const {
    return run_longshot("--quiet " + command, folder_.path());
  }
  std::string refusal(const std::string& command) const {
    const ProgramResult result = run(command);
    EXPECT_EQ(result.exit_code, 2) << command;
    return result.err;
  }

  ScratchFolder folder_;
};

TEST_F(WaysOut, WhereNoFaceWasFound) {
  EXPECT_THAT(refusal("enroll board.pgm --person anna --gallery g"),
              AllOf(HasSubstr("state its eyes (--eyes lx,ly,rx,ry)"),
                    HasSubstr("it is an aligned face crop (--aligned)"),
                    HasSubstr("name a YuNet model as the detector (--detector FILE.onnx)")));
}

TEST_F(WaysOut, NotTheOneThatWasTried) {
  const std::optional<fs::path> network = test_data("models/yunet_120x160.onnx");
  if (!network) GTEST_SKIP() << "no data";
  EXPECT_THAT(refusal("enroll board.pgm --person anna --gallery g --detector " + network->string()),
              AllOf(HasSubstr("it is an aligned face crop (--aligned)."), Not(HasSubstr("YuNet"))));
}

TEST_F(WaysOut, OnlyOptionsThatTheCommandHas) {
  write_file(folder_ / "manifest.csv",
             "path,subject,role\n"
             "people/person_00000/00.png,anna,gallery\npeople/person_00001/00.png,ben,gallery\n"
             "people/person_00000/01.png,anna,probe\nboard.pgm,ben,probe\n");
  EXPECT_THAT(run("evaluate --protocol roles --data manifest.csv --methods pca --no-train").err,
              AllOf(HasSubstr("state its eyes"), HasSubstr("(--detector FILE.onnx)"),
                    Not(HasSubstr("--eyes")), Not(HasSubstr("--aligned"))));
}

TEST_F(WaysOut, WhereNobodyIsNamed) {
  EXPECT_THAT(refusal("enroll people/person_00000 --gallery g"),
              AllOf(HasSubstr("name the person (--person NAME)"),
                    HasSubstr("from the folder (--person-from folder), \"person_00000\""),
                    HasSubstr("from the stem of the file (--person-from stem), \"00\"")));
}

TEST_F(WaysOut, WhereTheGalleryIsMissing) {
  EXPECT_THAT(run("doctor --gallery none").out, HasSubstr("people were enrolled (--gallery FILE)"));
}

TEST_F(WaysOut, WhereTheLogIsLostOrDamaged) {
  ASSERT_EQ(run("enroll people --gallery g").exit_code, 0);
  ASSERT_EQ(run("gallery set g audit on").exit_code, 0);
  const std::string log = read_file(folder_ / "g.audit");
  write_file(folder_ / "g.audit", "x" + log.substr(1));
  EXPECT_THAT(refusal("audit show g"), HasSubstr("says where (longshot audit verify FILE)"));
  fs::remove(folder_ / "g.audit");
  EXPECT_THAT(refusal("people rename person_00000 anna --gallery g"),
              HasSubstr("switching the log off (longshot gallery set FILE audit off)"));
}

}  // namespace
}  // namespace longshot
