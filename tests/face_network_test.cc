// SPDX-License-Identifier: Apache-2.0
// A face network that is installed, and gone again, with the real program.
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/core/file.h"
#include "longshot/feature/tiny_face_network_test.h"
#include "longshot/image/degrade.h"
#include "longshot/image/image_io.h"
#include "longshot/synthetic/synthetic_photo.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FaceNetworkProgram : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "photos");
    const SyntheticPhotoOptions options;
    const Matrix photos = take_photos(8, 0, 6, options, 0);
    const Matrix probe = take_photos(8, 0, 1, options, 1);
    const auto face = [&](const Matrix& images, Index i) -> Image {
      return images.col(i).reshaped(options.size.rows, options.size.cols);
    };
    for (Index i = 0; i < photos.cols(); ++i) {
      write_image(folder_ / ("photos/p" + std::to_string(i) + ".png"), face(photos, i));
    }
    write_image(folder_ / "crop.png", degrade(face(probe, 0), {24, 20}));
    const Eyes eyes = FaceFrame().eyes;
    write_file(folder_ / "photos/dataset.json",
               fmt::format("{{\"aligned\": true, \"eyes\": [{}, {}, {}, {}]}}", eyes.left.x,
                           eyes.left.y, eyes.right.x, eyes.right.y));
    const ProgramResult enrolled = run("enroll photos --gallery g");
    ASSERT_EQ(enrolled.exit_code, 0) << enrolled.err;
  }
  ProgramResult run(const std::string& arguments) const {
    return run_longshot("--quiet " + arguments, folder_.path());
  }
  // The distance of the first candidate.
  double nearest() const {
    const ProgramResult found = run("identify crop.png --gallery g --camera none --json -");
    EXPECT_EQ(found.exit_code, 0) << found.err;
    const auto answer = nlohmann::json::parse(found.out);
    EXPECT_EQ(answer["probes"].at(0)["candidates"].at(0)["person"], "p0");
    return answer["probes"].at(0)["candidates"].at(0).at("residual");
  }
  ScratchFolder folder_;
};

// Models of before are made anew, and nothing else is asked of the user.
TEST_F(FaceNetworkProgram, ComesAndGoes) {
  const double without = nearest();
  {
    const Variable installed("LONGSHOT_FACE_NETWORK", tiny_face_network().c_str());
    EXPECT_NE(nearest(), without);
    EXPECT_THAT(run("doctor").out, HasSubstr(tiny_face_network().string()));
  }
  EXPECT_EQ(nearest(), without);
}

TEST_F(FaceNetworkProgram, OneThatCannotBeUsedIsNamed) {
  const Variable installed("LONGSHOT_FACE_NETWORK", (folder_ / "crop.png").c_str());
  const ProgramResult found = run("identify crop.png --gallery g --camera none");
  EXPECT_EQ(found.exit_code, 2);
  EXPECT_THAT(found.err, HasSubstr("crop.png is not a face network."));
  EXPECT_THAT(run("doctor").out, HasSubstr("is not a face network"));
}

}  // namespace
}  // namespace longshot
