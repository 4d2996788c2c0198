// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_setup.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/pipeline/small_gallery_test.h"

namespace longshot {
namespace {

class Setup : public SmallGallery {
 protected:
  GalleryStore new_gallery() {
    return GalleryStore(folder_ / "new.gallery", GalleryStore::Access::kCreate);
  }
};

TEST_F(Setup, ComesBackAsItWasWritten) {
  GalleryStore gallery = new_gallery();
  EXPECT_FALSE(find_setup(gallery).has_value());
  EXPECT_THROW(setup_of(gallery), Error);
  GallerySetup setup;
  setup.frame.aspect = 1.0 / 3.0;
  setup.high = {33, 31};
  setup.op = parse_operator("gauss:0.7");
  setup.profile = Profile::kPaper;
  write_setup(gallery, setup);
  const GallerySetup back = setup_of(gallery);
  EXPECT_EQ(back.frame, setup.frame);
  EXPECT_EQ(back.high, setup.high);
  EXPECT_EQ(back.op, setup.op);
  EXPECT_EQ(back.profile, setup.profile);
}

TEST_F(Setup, RefusesWhatCannotBe) {
  GalleryStore gallery = new_gallery();
  GallerySetup setup;
  setup.high = {4, 4};
  EXPECT_THROW(write_setup(gallery, setup), Error);
  EXPECT_FALSE(find_setup(gallery).has_value());
  EXPECT_THROW(check_probe_size({50, 10}, {48, 40}), Error);
  check_probe_size({48, 40}, {48, 40});
}

TEST_F(Setup, AFaceComesBackFromItsPhoto) {
  const Image face = SmallGallery::face(0, 0);
  const Photo photo = photo_of(face);
  EXPECT_EQ(photo.rows, face.rows());
  const Vector back = face_of(photo);
  EXPECT_LT((back - face.reshaped()).cwiseAbs().maxCoeff(), 0.5001 / 255.0);
}

TEST_F(Setup, TheBackgroundIsSyntheticWithoutTrainingPeople) {
  GalleryStore gallery = make_gallery(1);
  const Background background = background_of(gallery, BackgroundParts::kPeople);
  EXPECT_FALSE(background.real);
  EXPECT_EQ(background.enrolled.rows(), GallerySetup().high.pixels());
}

}  // namespace
}  // namespace longshot
