// SPDX-License-Identifier: Apache-2.0
// Files of every format and version that was ever written, in tests/files, are still read.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/camera/camera.h"
#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/pipeline/training_faces.h"
#include "longshot/recognize/model_io.h"
#include "longshot/relight/normal_map_io.h"

#include "run_program.h"

namespace longshot {
namespace {

using nlohmann::json;

std::filesystem::path kept(const std::string& name) {
  return std::filesystem::path(LONGSHOT_SOURCE_DIR) / "tests/files" / name;
}

class ModelFile : public testing::TestWithParam<int> {};

TEST_P(ModelFile, IsReadAndRecognises) {
  const int version = GetParam();
  const Model model = read_model(kept("model-" + std::to_string(version) + ".model"));
  EXPECT_EQ(model.method, "slrfr");
  EXPECT_EQ(model.options.profile, Profile::kBest);
  EXPECT_EQ(model.geometry.high, (Size{24, 20}));
  EXPECT_EQ(model.geometry.low, (Size{7, 6}));
  EXPECT_EQ(model.geometry.op.kind, OperatorKind::kImresize);
  EXPECT_EQ(model.lights.size(), 10U);
  // Cameras came with version 2, their warp with version 3.
  EXPECT_EQ(model.geometry.registration.dx, version >= 2 ? 0.03 : 0.0);
  EXPECT_EQ(model.geometry.gamma, version >= 2 ? 1.25 : 1.0);
  EXPECT_EQ(model.geometry.error.black, version >= 2 ? 0.0625 : 0.0);
  EXPECT_EQ(model.geometry.error.warp, version >= 3 ? 0.015625 : 0.0);
  EXPECT_FALSE(restore_recognizer(model) == nullptr);
}

TEST_P(ModelFile, HoldsTheSameMatrices) {
  const Model model = read_model(kept("model-" + std::to_string(GetParam()) + ".model"));
  const Model newest = read_model(kept("model-3.model"));
  ASSERT_FALSE(model.state.matrices().empty());
  ASSERT_EQ(model.state.matrices().size(), newest.state.matrices().size());
  for (const auto& [name, values] : model.state.matrices()) {
    EXPECT_EQ(values, newest.state.matrices().at(name)) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, ModelFile, testing::Values(1, 2, 3));

TEST(KeptFiles, TrainingFaces) {
  const TrainingFaces faces = read_training(kept("training-1.model"));
  EXPECT_EQ(faces.size, (Size{16, 14}));
  EXPECT_EQ(faces.count(), 60);
  EXPECT_EQ(faces.people(), 20);
  EXPECT_GT(faces.photos().maxCoeff(), 0.5);
}

TEST(KeptFiles, NormalMaps) {
  const NormalMap first = read_normal_map(kept("normals-1.normals"));
  EXPECT_EQ(first.size, (Size{12, 10}));
  EXPECT_EQ(first.covariance.cols(), 0);
  EXPECT_NEAR(first.normals.col(60).norm(), 1.0, 1e-9);
  EXPECT_EQ(read_normal_map(kept("normals-2.normals")).normals, first.normals);
}

TEST(KeptFiles, Cameras) {
  for (const bool has_warp : {false, true}) {
    const Camera camera = read_camera(kept(has_warp ? "camera-1-with-warp.json" : "camera-1.json"));
    EXPECT_EQ(camera.size, (Size{3, 2}));
    EXPECT_TRUE(camera.learnt);
    EXPECT_EQ(to_string(camera.op), "gauss:0.75");
    EXPECT_EQ(camera.registration.log_y, -0.02);
    EXPECT_EQ(camera.gamma, 1.1);
    EXPECT_EQ(camera.error.black, 0.01);
    EXPECT_EQ(camera.error.warp, has_warp ? 0.015 : 0.0);
    ASSERT_EQ(camera.tone.size(), 6);
    EXPECT_EQ(camera.tone(5), -0.125);
  }
}

// Copied, as a gallery of an older version is brought up to date when it is opened for writing.
class GalleryFile : public testing::TestWithParam<int> {
 protected:
  GalleryFile() {
    const std::string name = "gallery-" + std::to_string(GetParam()) + ".gallery";
    std::filesystem::copy_file(kept(name), gallery_);
  }

  // How many of the eight crops have the right person first.
  int right(const std::string& method) const {
    const ProgramResult result =
        run_longshot("--quiet identify " + kept("crops").string() + " --size 7x6 --method " +
                     method + " --json --gallery " + gallery_.string());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const json probes = json::parse(result.out).at("probes");
    EXPECT_EQ(probes.size(), 8U);
    return static_cast<int>(std::count_if(probes.begin(), probes.end(), [](const json& probe) {
      const std::string person = probe.at("candidates").at(0).at("person");
      return probe.at("path").get<std::string>().find(person) != std::string::npos;
    }));
  }

  ScratchFolder folder_;
  std::filesystem::path gallery_ = folder_ / "old.gallery";
};

TEST_P(GalleryFile, NamesItsPeople) {
  const ProgramResult result = run_longshot("people list --json --gallery " + gallery_.string());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const json people = json::parse(result.out).at("people");
  ASSERT_EQ(people.size(), 4U);
  EXPECT_EQ(people.at(3).at("name"), "person_00003");
  EXPECT_EQ(people.at(3).at("photos"), 1);
}

TEST_P(GalleryFile, RecognisesThem) {
  EXPECT_GE(right("slrfr"), 6);
  EXPECT_GE(right("longshot"), 6);
}

TEST_P(GalleryFile, IsBroughtUpToDateByAChange) {
  const std::string where = " --gallery " + gallery_.string();
  EXPECT_EQ(run_longshot("people rename person_00001 anna" + where).exit_code, 0);
  EXPECT_EQ(run_longshot("people rename anna person_00001" + where).exit_code, 0);
  const ProgramResult examined = run_longshot("doctor --json" + where);
  EXPECT_EQ(examined.exit_code, 0) << examined.out;
  EXPECT_NE(examined.out.find("4 people, 4 photos, version 2"), std::string::npos) << examined.out;
  EXPECT_GE(right("slrfr"), 6);
}

TEST_P(GalleryFile, LosesAPersonOnRequest) {
  const std::string where = " --gallery " + gallery_.string();
  EXPECT_EQ(run_longshot("people remove person_00002" + where).exit_code, 0);
  EXPECT_LE(right("slrfr"), 6);
  EXPECT_LE(right("longshot"), 6);
  EXPECT_NE(run_longshot("people show person_00002" + where).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Versions, GalleryFile, testing::Values(1, 2));

}  // namespace
}  // namespace longshot
