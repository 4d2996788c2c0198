// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_model.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/pipeline/small_gallery_test.h"

namespace longshot {
namespace {

using GalleryModelTest = SmallGallery;

TEST_F(GalleryModelTest, IsLearntOnceAndKept) {
  GalleryStore gallery = make_gallery(3);
  EXPECT_FALSE(find_model(gallery, "longshot 7x6").has_value());
  const GalleryModel made = provide_model(gallery, "longshot", {7, 6});
  EXPECT_EQ(made.key, "longshot 7x6");
  const std::optional<GalleryModel> kept = find_model(gallery, made.key);
  ASSERT_TRUE(kept.has_value());
  const Matrix photo = SmallGallery::face(0, 0).reshaped();
  const Template before = made.enrol(photo);
  const Template after = kept->enrol(photo);
  ASSERT_EQ(before.parts.size(), after.parts.size());
  for (const auto& [name, values] : before.parts) EXPECT_EQ(values, after.part(name));
  EXPECT_EQ(all_models(gallery).size(), 1U);
  EXPECT_THROW(provide_model(gallery, "nonsense", {7, 6}), Error);
  EXPECT_THROW(provide_model(gallery, "longshot", {70, 60}), Error);
}

// Its templates would be compared with what the built-in network says.
TEST_F(GalleryModelTest, AModelOfAnotherNetworkIsLearntAnew) {
  GalleryStore gallery = make_gallery(3);
  const GalleryModel made = provide_model(gallery, "longshot", {7, 6});
  gallery.put_template(made.key, 1, std::vector<float>{0.0F});
  Model other = made.model;
  Matrix numbers = other.state.matrix("network.numbers");
  numbers(numbers.size() - 1) += 1.0;
  other.state.set("network.numbers", numbers);
  gallery.put_model(made.key, encode_model(other));
  EXPECT_FALSE(find_model(gallery, made.key).has_value());
  EXPECT_TRUE(all_models(gallery).empty());
  const GalleryModel again = provide_model(gallery, "longshot", {7, 6});
  EXPECT_EQ(again.model.state.matrix("network.numbers"),
            made.model.state.matrix("network.numbers"));
  EXPECT_TRUE(find_model(gallery, made.key).has_value());
  EXPECT_TRUE(gallery.index_keys().empty());
}

TEST_F(GalleryModelTest, OnlyTheLastCamerasAreKept) {
  GalleryStore gallery = make_gallery(2);
  Camera camera;
  camera.size = {7, 6};
  camera.crops = 30;
  camera.learnt = true;
  camera.op = parse_operator("gauss:1");
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < kMostCameras + 2; ++i) {
    camera.registration.dx = 0.01 * static_cast<double>(i);
    const GalleryModel model = provide_model(gallery, "longshot", {7, 6}, camera);
    EXPECT_NEAR(model.model.geometry.registration.dx, camera.registration.dx, 1e-12);
    gallery.put_template(model.key, 1, std::vector<float>{0.0F});
    keys.push_back(model.key);
  }
  EXPECT_NE(keys[0], keys[1]);
  EXPECT_FALSE(find_model(gallery, keys[0]).has_value());
  EXPECT_FALSE(find_model(gallery, keys[1]).has_value());
  EXPECT_TRUE(find_model(gallery, keys.back()).has_value());
  camera.days = Days::kOther;  // of its probes, who are found out later
  EXPECT_EQ(model_key("longshot", {7, 6}, camera), keys.back());
}

TEST_F(GalleryModelTest, FewPeopleAreNotLearntFrom) {
  EXPECT_EQ(training_set_of(make_gallery(kFewestPeople - 1), {7, 6}).enrolled_high.cols(), 0);
}

TEST(ModelTitle, SpeaksOfACameraAndNotOfItsHash) {
  EXPECT_EQ(model_title("longshot 7x6"), "longshot 7x6");
  EXPECT_EQ(model_title("longshot 7x6 camera:1a2b3c4d5e6f7081"), "longshot 7x6 of this camera");
}

}  // namespace
}  // namespace longshot
