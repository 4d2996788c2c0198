// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "longshot/core/file.h"
#include "longshot/door.h"
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

v0::Plane plane_of(float dark, float bright) {
  v0::Plane plane{{4, 2}, std::vector<float>(8, dark)};
  plane.values.back() = bright;
  return plane;
}

v0::Relit two_lights() {
  v0::Relit relit;
  relit.face = plane_of(0.2F, 0.4F);
  relit.albedo = plane_of(1.0F, 2.0F);
  relit.images = {plane_of(0.1F, 0.2F), plane_of(0.4F, 0.8F)};
  relit.lights = {{-30.0, 10.4}, {45.0, -20.0}};
  relit.light = {12.5, 3.0};
  relit.strength = 0.7;
  relit.source = {0.1, 0.2, 0.3};
  relit.estimate = "estimated";
  relit.normals = {plane_of(0.5F, 0.5F), plane_of(0.5F, 0.5F), plane_of(1.0F, 1.0F)};
  return relit;
}

class RelitPicturesTest : public testing::Test {
 protected:
  RelitPicturesTest() { fs::remove_all(folder_); }
  ~RelitPicturesTest() override { fs::remove_all(folder_); }
  fs::path folder_ = fs::path(testing::TempDir()) / fmt::format("relit_{}", getpid());
};

TEST_F(RelitPicturesTest, OneFilePerLightOnOneScale) {
  v0::write_relit(folder_, two_lights());
  const Image dim = read_image(folder_ / "relit_-30_10.png");
  const Image bright = read_image(folder_ / "relit_45_-20.png");
  EXPECT_NEAR(bright(3, 1), 1.0, 1e-9);
  EXPECT_NEAR(dim(3, 1), 0.25, 0.5 / 255.0);
  EXPECT_NEAR(read_image(folder_ / "albedo.png")(0, 0), 0.5, 0.5 / 255.0);
  EXPECT_TRUE(fs::exists(folder_ / "normals.png"));
  const auto light = nlohmann::json::parse(read_file(folder_ / "light.json"));
  EXPECT_EQ(light["azimuth"], 12.5);
  EXPECT_EQ(light["strength"], 0.7);
  EXPECT_EQ(light["vector"], nlohmann::json({0.1, 0.2, 0.3}));
  EXPECT_EQ(light["estimate"], "estimated");
}

TEST_F(RelitPicturesTest, SheetHasTwoRowsOfAll) {
  fs::create_directories(folder_);
  v0::write_relit_sheet(folder_ / "sheet.png", two_lights(), {2, 1});
  const Image sheet = read_image(folder_ / "sheet.png");
  EXPECT_EQ(size_of(sheet), (Size{2 * 12 + 3 * 6, 5 * 6 + 6 * 6}));
}

TEST_F(RelitPicturesTest, NothingIsWrittenOfNothing) {
  v0::Relit relit = two_lights();
  relit.images.clear();
  EXPECT_THROW(v0::write_relit(folder_, relit), Error);
  EXPECT_FALSE(fs::exists(folder_));
}

}  // namespace
}  // namespace longshot
