// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "longshot/core/file.h"
#include "longshot/door.h"
#include "longshot/evaluate/experiment.h"
#include "longshot/synthetic/synthetic_set.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class EvaluateFace : public testing::Test {
 protected:
  EvaluateFace() {
    fs::remove_all(folder_);
    v0::SyntheticOptions people;
    people.people = 4;
    people.photos = 2;
    people.size = {60, 50};
    photos_ = v0::write_synthetic_people(folder_ / "people", people);
    options_.methods = {"pca"};
    options_.sizes = {{7, 6}};
    options_.profile = "best";
  }
  ~EvaluateFace() override { fs::remove_all(folder_); }

  fs::path folder_ = fs::path(testing::TempDir()) / fmt::format("evaluate_face_{}", getpid());
  std::ptrdiff_t photos_ = 0;
  v0::EvaluateOptions options_;
};

TEST_F(EvaluateFace, GivesOneResultForAllThatItWrites) {
  EXPECT_EQ(photos_, 8);
  options_.scores = true;
  const v0::Evaluation evaluation = v0::evaluate(folder_ / "people", options_);
  ASSERT_EQ(evaluation.results().size(), 1U);
  const v0::MethodResult& result = evaluation.results()[0];
  EXPECT_EQ(result.method, "pca");
  EXPECT_EQ(result.size, (v0::Size{7, 6}));
  EXPECT_EQ(result.gallery, 4);
  EXPECT_EQ(result.probes, 4);
  EXPECT_TRUE(evaluation.rejections().empty());
  const auto document = nlohmann::json::parse(evaluation.json());
  EXPECT_EQ(document["protocol"], "roles");
  EXPECT_NEAR(document["results"][0]["rank1"].get<double>(), result.rank1, 1e-4);
  EXPECT_THAT(evaluation.csv(), HasSubstr("\npca,7x6,0,"));
  EXPECT_THAT(evaluation.scores_csv(), HasSubstr("\npca,7x6,0,"));
  const fs::path page = folder_ / "report.html";
  evaluation.write_report(page, {"", "make report", "today"});
  EXPECT_THAT(read_file(page), HasSubstr("roles on people"));
  EXPECT_THAT(read_file(page), HasSubstr("make report"));
}

TEST_F(EvaluateFace, CanBeCancelled) {
  try {
    v0::evaluate(folder_ / "people", options_,
                 [](std::string_view, std::ptrdiff_t, std::ptrdiff_t) { return false; });
    ADD_FAILURE() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

TEST_F(EvaluateFace, RefusesWhatItDoesNotKnow) {
  options_.protocol = "passport";
  EXPECT_THROW(v0::evaluate(folder_ / "people", options_), Error);
  options_.protocol = "roles";
  options_.parameters = {{"moon", "full"}};
  EXPECT_THROW(v0::evaluate(folder_ / "people", options_), Error);
  EXPECT_EQ(v0::method_parameters().count("moon"), 0U);
  EXPECT_FALSE(v0::method_parameters().empty());
}

TEST_F(EvaluateFace, NamesTheDataBelowAFolderThatIsOneTooHigh) {
  fs::create_directories(folder_ / "notes");
  fs::copy_file(folder_ / "people/person_00000/00.png", folder_ / "notes/a.png");
  for (const char* protocol : {"roles", "pie", "yaleb", "ar", "frgc", "outdoor"}) {
    options_.protocol = protocol;
    try {
      v0::evaluate(folder_, options_);
      ADD_FAILURE() << protocol;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("meant: " + (folder_ / "people").string() + "?"));
    }
  }
}

TEST(EvaluateDefaults, AreThoseOfTheModules) {
  const v0::EvaluateOptions face;
  const ExperimentOptions own;
  EXPECT_EQ(face.methods, own.methods);
  EXPECT_EQ(face.profile, to_string(own.method.profile));
  EXPECT_EQ(face.tune, own.method.tune);
  ASSERT_EQ(face.sizes.size(), own.sizes.size());
  for (std::size_t i = 0; i < own.sizes.size(); ++i) {
    EXPECT_EQ(door::inner(face.sizes[i]), own.sizes[i]);
  }
  EXPECT_EQ(face.noise, own.noise);
  EXPECT_EQ(face.op, to_string(own.op));
  EXPECT_EQ(face.camera_harm, own.camera_harm);
  EXPECT_EQ(face.use_training, own.use_training);
  EXPECT_EQ(face.fpir, own.fpir);
  EXPECT_EQ(face.seed, own.seed);
  EXPECT_EQ(face.draws, ProtocolOptions().draws);
  const v0::SyntheticOptions people;
  const SyntheticSetOptions own_people;
  EXPECT_EQ(people.people, own_people.people);
  EXPECT_EQ(people.photos, own_people.photos);
  EXPECT_EQ(door::inner(people.size), own_people.size);
}

}  // namespace
}  // namespace longshot
