// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/core/file.h"
#include "longshot/core/test_data.h"
#include "longshot/image/image_io.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

Image checkers(Index rows, Index cols) {
  return Image::NullaryExpr(rows, cols,
                            [](Index r, Index c) { return (r / 4 + c / 4) % 2 == 0 ? 0.8 : 0.2; });
}

// Nothing on stdout, exactly one line on stderr, exit code 2.
void expect_one_sentence(const ProgramResult& result, const std::string& about) {
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("longshot: "));
  EXPECT_THAT(result.err, HasSubstr(about));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST(Cli, VersionAndHelp) {
  EXPECT_THAT(run_longshot("version").out, StartsWith("longshot "));
  const ProgramResult help = run_longshot("degrade --help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, StartsWith("Example: longshot degrade"));
  EXPECT_THAT(help.out, HasSubstr("imresize"));
}

TEST(Cli, AnswersToTheUsualReflexes) {
  const std::string version = run_longshot("version").out;
  EXPECT_EQ(run_longshot("--version").out, version);
  EXPECT_EQ(run_longshot("-V").out, version);
  EXPECT_EQ(run_longshot("help").out, run_longshot("--help").out);
  const ProgramResult help = run_longshot("help people list");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.out, run_longshot("people list --help").out);
}

TEST(Cli, NamesTheNearestCommandOrOption) {
  expect_one_sentence(
      run_longshot("identfy crops --gallery x"),
      "longshot has no command identfy; did you mean identify? Try: longshot --help");
  expect_one_sentence(run_longshot("enrol photos"), "did you mean enroll?");
  expect_one_sentence(run_longshot("people lsit --gallery x"),
                      "longshot people has no command lsit; did you mean list?");
  expect_one_sentence(run_longshot("identify crops --galery=x"),
                      "longshot identify has no option --galery; did you mean --gallery? "
                      "Try: longshot identify --help");
  expect_one_sentence(run_longshot("people list --galley x"), "did you mean --gallery?");
  expect_one_sentence(run_longshot("help identfy"), "did you mean identify?");
  expect_one_sentence(run_longshot("help people lsit"), "did you mean list?");
  EXPECT_THAT(run_longshot("help gallery compact g").out, HasSubstr("--cache"));
  for (const char* id : {"abc", "0", "-1"}) {
    expect_one_sentence(run_longshot("people remove anna --gallery g --photo=" + std::string(id)),
                        std::string(id) + " is no id of a photo");
  }
  expect_one_sentence(run_longshot("--treads 2 version"), "did you mean --threads?");
  expect_one_sentence(run_longshot("xyzzy"), "has no command xyzzy. Try: longshot --help");
}

TEST(Cli, ReadsAnImageOnStandardInput) {
  const ScratchFolder folder;
  const std::string path = folder.path();
  ASSERT_EQ(run_longshot("--quiet synth --people 2 --photos 2 --out people", path).exit_code, 0);
  const std::string photo = " <people/person_00000/00.png";
  const std::string gallery = " --aligned --gallery g";
  expect_one_sentence(run_longshot("enroll -" + gallery + photo, path), "--person");
  EXPECT_EQ(run_longshot("enroll - --force --person ada" + gallery + photo, path).exit_code, 0);
  const ProgramResult known =
      run_longshot("identify - --method subspace --size 12x10 --json" + gallery + photo, path);
  EXPECT_EQ(known.exit_code, 0) << known.err;
  EXPECT_EQ(nlohmann::json::parse(known.out)["probes"][0]["candidates"][0]["person"], "ada");
  expect_one_sentence(run_longshot("identify -" + gallery + " </dev/null", path), "no image");
  expect_one_sentence(run_longshot("identify - -" + gallery + photo, path), "only once");
  for (const char* face : {"", " --face"}) {
    EXPECT_EQ(run_longshot("degrade - --size 7x6 --out small.png" + (face + photo), path).exit_code,
              0)
        << face;
    EXPECT_EQ(size_of(read_image(folder / "small.png")), (Size{7, 6}));
    fs::remove(folder / "small.png");
  }
}

TEST(Cli, WrongUsageIsOneSentence) {
  expect_one_sentence(run_longshot(""), "Try: longshot --help");
  expect_one_sentence(run_longshot("frobnicate"), "Try: longshot --help");
  expect_one_sentence(run_longshot("degrade"), "Try: longshot degrade --help");
  expect_one_sentence(run_longshot("--threads -3 version"), "--threads");
}

TEST(Cli, DegradeWritesTheSizeThatWasAsked) {
  const ScratchFolder folder;
  write_image(folder / "face.png", checkers(48, 40));
  const ProgramResult result = run_longshot("degrade " + (folder / "face.png").string() +
                                            " --size 7x6 --out " + (folder / "small.png").string());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(size_of(read_image(folder / "small.png")), (Size{7, 6}));
}

TEST(Cli, DegradeOfARealPhoto) {
  const auto photo = test_data("yaleb-192x168/yaleB01/yaleB01_P00A+000E+00.pgm");
  if (!photo) GTEST_SKIP() << "skipped: no data";
  const ScratchFolder folder;
  const ProgramResult result = run_longshot("degrade " + photo->string() + " --size 7x6 --out " +
                                            (folder / "x.png").string());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(size_of(read_image(folder / "x.png")), (Size{7, 6}));
}

TEST(Cli, DegradeOfAFolderSkipsTheBadFile) {
  const ScratchFolder folder;
  fs::create_directories(folder / "in");
  write_image(folder / "in/anna.png", checkers(48, 40));
  write_file(folder / "in/bert.png", "not a picture");
  const ProgramResult result = run_longshot("--quiet degrade " + (folder / "in").string() +
                                            " --size 12x10 --out " + (folder / "out").string());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("bert.png"));
  EXPECT_EQ(size_of(read_image(folder / "out/anna.png")), (Size{12, 10}));
  EXPECT_FALSE(fs::exists(folder / "out/bert.png"));
}

TEST(Cli, BadImagesGetOneSentenceAndLeaveNoFile) {
  const ScratchFolder folder;
  const std::string jpeg = encode_image(checkers(120, 100), ".jpg");
  write_file(folder / "cut.jpg", std::string_view(jpeg).substr(0, jpeg.size() / 2));
  write_file(folder / "text.png", "this is a text file\n");
  write_file(folder / "empty.png", "");
  std::string huge = encode_image(checkers(8, 8), ".png");
  for (const std::size_t at : {std::size_t{16}, std::size_t{20}}) {
    huge.replace(at, 4, std::string("\0\0\xEA\x60", 4));
  }
  write_file(folder / "huge.png", huge);
  fs::create_directories(folder / "nothing");
  const auto degrade = [&](const std::string& name) {
    return run_longshot("degrade " + (folder / name).string() + " --size 7x6 --out " +
                        (folder / "out.png").string());
  };
  expect_one_sentence(degrade("cut.jpg"), "cut short");
  expect_one_sentence(degrade("text.png"), "is not a JPEG");
  expect_one_sentence(degrade("empty.png"), "empty");
  expect_one_sentence(degrade("huge.png"), "60000x60000");
  expect_one_sentence(degrade("nothing"), "No images were found");
  expect_one_sentence(degrade("missing.png"), "No such file");
  EXPECT_FALSE(fs::exists(folder / "out.png"));
}

TEST(Cli, DemoEndsWithTheReport) {
  const ScratchFolder folder;
  const std::string out = (folder / "demo").string();
  const ProgramResult result = run_longshot("--quiet demo --people 12 --out " + out);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("slrfr"));
  EXPECT_THAT(result.out, EndsWith("\nOpen " + out + "/report.html\n"));
  const std::string report = read_file(folder / "demo/report.html");
  EXPECT_THAT(report, HasSubstr("12 synthetic people"));
  EXPECT_THAT(report, HasSubstr("longshot --quiet demo --people 12"));
  EXPECT_THAT(report, HasSubstr("data:image/png;base64,"));
}

TEST(Cli, EvaluateWritesAReport) {
  const ScratchFolder folder;
  const std::string people = (folder / "people").string();
  ASSERT_EQ(run_longshot("--quiet synth --people 5 --photos 3 --out " + people).exit_code, 0);
  const std::string evaluate =
      "--quiet evaluate --protocol roles --methods subspace --sizes 7x6 "
      "--data " +
      people + " --report ";
  const ProgramResult result = run_longshot(evaluate + (folder / "report.html").string());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(read_file(folder / "report.html"), HasSubstr("\"method\":\"subspace\""));
  expect_one_sentence(run_longshot(evaluate + (folder / "none/report.html").string()), "none");
}

TEST(Cli, WithoutTrainingPeopleThoseToBeEnrolledStandIn) {
  const ScratchFolder folder;
  const std::string people = (folder / "people").string();
  ASSERT_EQ(run_longshot("--quiet synth --people 12 --photos 2 --out " + people).exit_code, 0);
  const auto rates = [&](const std::string& more) {
    const ProgramResult result = run_longshot(
        "--quiet evaluate --protocol roles --methods longshot --profile best "
        "--sizes 7x6 --json - --data " +
        people + more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out)["results"][0]["eer"];
  };
  EXPECT_EQ(rates(""), rates(" --no-train"));
}

TEST(Cli, DemoThatCannotWriteIsOneSentence) {
  const ScratchFolder folder;
  write_file(folder / "file", "x");
  expect_one_sentence(run_longshot("demo --people 12 --out " + (folder / "file/demo").string()),
                      "file/demo");
  expect_one_sentence(run_longshot("demo --people 1"), "--people");
}

TEST(Cli, FullDiskIsOneSentence) {
  const ScratchFolder folder;
  write_image(folder / "face.png", checkers(48, 40));
  fs::create_symlink("/dev/full", folder / "full.png");
  expect_one_sentence(run_longshot("degrade " + (folder / "face.png").string() +
                                   " --size 7x6 --out " + (folder / "full.png").string()),
                      "No space left");
}

TEST(Cli, BenchWritesItsFiguresAndLeavesNothingBehind) {
  const ScratchFolder folder;
  const ProgramResult result = run_longshot("bench --people 120 --methods slrfr,kernel --json " +
                                            (folder / "speed.json").string() + " --gallery " +
                                            (folder / "people.gallery").string());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("120 people at 7x6"));
  const auto figures = nlohmann::json::parse(read_file(folder / "speed.json"));
  EXPECT_EQ(figures.at("people"), 120);
  EXPECT_EQ(figures.at("size"), "7x6");
  EXPECT_GT(figures.at("enroll").at("people_per_s"), 0.0);
  for (const char* key : {"sgemm_gflops", "cores", "open_ms", "peak_rss_mb", "bytes_per_person"}) {
    EXPECT_GT(figures.at(key), 0.0) << key;
  }
  for (const char* method : {"slrfr", "kernel"}) {
    for (const char* key : {"probes_per_s", "fraction_of_sgemm", "latency_ms_one_probe"}) {
      EXPECT_GT(figures.at("identify").at(method).at(key), 0.0) << method << " " << key;
    }
  }
  expect_one_sentence(run_longshot("bench --gallery " + (folder / "people.gallery").string()),
                      "exists already");
  expect_one_sentence(run_longshot("bench --people 5"), "people must be between");
  expect_one_sentence(run_longshot("bench --methods lbph"), "choose among");
  expect_one_sentence(run_longshot("bench --size 7"), "7");
}

TEST(Cli, BenchComparesAnEncryptedGalleryWithAPlainOne) {
  const ScratchFolder folder;
  const ProgramResult result = run_longshot(
      "bench --encryption --people 120 --methods slrfr --json speed.json", folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("slrfr: open, first answer"));
  const auto figures = nlohmann::json::parse(read_file(folder / "speed.json"));
  for (const char* column : {"plain", "encrypted", "ratio"}) {
    EXPECT_GT(figures.at("enroll_photos_s").at(column), 0.0) << column;
    for (const char* key : {"enroll_s", "first_answer_s", "probe_s"}) {
      EXPECT_GT(figures.at("methods").at("slrfr").at(key).at(column), 0.0) << key << column;
    }
  }
  EXPECT_EQ(run_longshot("bench --encryption --gallery g", folder.path()).exit_code, 2);
}

}  // namespace
}  // namespace longshot
