// SPDX-License-Identifier: Apache-2.0
// The protocols whose data are not public, on synthetic stand-ins of the same counts and layout.
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/core/file.h"
#include "longshot/dataset/manifest.h"
#include "longshot/image/image_io.h"
#include "longshot/synthetic/synthetic_photo.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

// Writes photo number `photo` of the people from `first` on, all cropped alike.
void write_people(const fs::path& folder, Index first, Index count, Size size, int photo, Role role,
                  const std::string& session, std::vector<Sample>& samples) {
  SyntheticPhotoOptions options;
  options.size = size;
  options.light_spread = 40.0;
  const Matrix photos = take_photos(3, first, count, options,
                                    static_cast<std::uint64_t>(photo + (session == "2" ? 7 : 0)));
  for (Index i = 0; i < count; ++i) {
    Sample sample;
    sample.subject = fmt::format("p{:03}", first + i);
    sample.condition = fmt::format("{}", photo);
    sample.session = session;
    sample.role = role;
    sample.path = folder / fmt::format("{}_{}_{}.png", sample.subject, session, photo);
    write_image(sample.path, photos.col(i).reshaped(size.rows, size.cols));
    samples.push_back(sample);
  }
}

void finish_set(const fs::path& folder, const std::vector<Sample>& samples) {
  write_manifest(folder / "manifest.csv", samples);
  const Eyes eyes = FaceFrame().eyes;
  write_file(folder / "dataset.json",
             fmt::format("{{\"aligned\": true, \"eyes\": [{}, {}, {}, {}]}}", eyes.left.x,
                         eyes.left.y, eyes.right.x, eyes.right.y));
}

nlohmann::json evaluate(const ScratchFolder& folder, const std::string& arguments) {
  const ProgramResult result = run_longshot("--quiet evaluate --no-tune --data " + folder.path() +
                                            "/manifest.csv " + arguments + " --json");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out);
}

TEST(ProtocolStandIn, Frgc) {
  const ScratchFolder folder;
  std::vector<Sample> samples;
  write_people(folder.path(), 0, 152, {48, 40}, 0, Role::kGallery, "", samples);
  for (int photo = 1; photo <= 4; ++photo) {
    write_people(folder.path(), 0, 152, {48, 40}, photo, Role::kProbe, "", samples);
  }
  write_people(folder.path(), 152, 183, {48, 40}, 0, Role::kTrain, "", samples);
  finish_set(folder.path(), samples);
  const nlohmann::json answer = evaluate(folder, "--protocol frgc --methods slrfr --sizes 7x6,9x7");
  ASSERT_EQ(answer["results"].size(), 2u);
  EXPECT_EQ(answer["results"][0]["gallery"], 152);
  EXPECT_EQ(answer["results"][0]["probes"], 608);
  // Far above the 0.7 % of chance.
  EXPECT_GT(answer["results"][1]["rank1"], 20.0);
}

TEST(ProtocolStandIn, OutdoorWithProbesThatAreSmallAlready) {
  const ScratchFolder folder;
  std::vector<Sample> samples;
  for (int photo = 0; photo < 5; ++photo) {
    write_people(folder.path(), 0, 18, {120, 120}, photo, Role::kGallery, "", samples);
    write_people(folder.path(), 0, 18, {20, 20}, photo + 5, Role::kProbe, "", samples);
  }
  finish_set(folder.path(), samples);
  const nlohmann::json answer =
      evaluate(folder, "--protocol outdoor --profile best --methods longshot --sizes native");
  ASSERT_EQ(answer["results"].size(), 1u);
  EXPECT_EQ(answer["results"][0]["size"], "20x20");
  EXPECT_EQ(answer["results"][0]["gallery"], 18);
  EXPECT_EQ(answer["results"][0]["probes"], 90);
  EXPECT_GT(answer["results"][0]["rank1"], 50.0);
}

TEST(ProtocolStandIn, ArWithImagesOfAnySize) {
  const ScratchFolder folder;
  std::vector<Sample> samples;
  for (const char* session : {"1", "2"}) {
    for (int photo = 1; photo <= 7; ++photo) {
      const Size size = photo % 2 == 0 ? Size{55, 40} : Size{110, 80};
      write_people(folder.path(), 0, 10, size, photo, Role::kUnspecified, session, samples);
    }
  }
  finish_set(folder.path(), samples);
  const nlohmann::json answer =
      evaluate(folder, "--protocol ar --methods subspace --hr 55x40 --sizes 14x10");
  EXPECT_EQ(answer["hr"], "55x40");
  EXPECT_EQ(answer["results"][0]["gallery"], 7);
  EXPECT_EQ(answer["results"][0]["probes"], 7 * 49);
  const nlohmann::json same =
      evaluate(folder, "--protocol ar --corresponding --methods subspace --hr 55x40 --sizes 14x10");
  EXPECT_EQ(same["results"][0]["probes"], 7 * 7);
}

TEST(Interruption, LeavesNoPartialFile) {
  const ScratchFolder people;
  const ScratchFolder results;
  std::vector<Sample> samples;
  write_people(people.path(), 0, 60, {48, 40}, 0, Role::kGallery, "", samples);
  write_people(people.path(), 0, 60, {48, 40}, 1, Role::kProbe, "", samples);
  write_people(people.path(), 60, 60, {48, 40}, 0, Role::kTrain, "", samples);
  write_people(people.path(), 60, 60, {48, 40}, 1, Role::kTrain, "", samples);
  finish_set(people.path(), samples);
  // Tuning these methods takes longer than the second that it is given.
  const ProgramResult result = run_longshot(
      fmt::format("version >/dev/null; timeout -s INT 1 {} --quiet evaluate --protocol roles "
                  "--data {}/manifest.csv --methods joint,clpm-ext,s2r2 --sizes 7x6,12x10,19x16 "
                  "--json {}/r.json --report {}/r.html --csv {}/r.csv",
                  LONGSHOT_PROGRAM, people.path(), results.path(), results.path(), results.path()));
  EXPECT_NE(result.exit_code, 0);
  EXPECT_TRUE(fs::is_empty(results.path()));
}

}  // namespace
}  // namespace longshot
