// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/trainer.h"

#include <gmock/gmock.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/pipeline/identifier.h"
#include "longshot/pipeline/small_gallery_test.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {
namespace {

class Train : public SmallGallery {
 protected:
  std::vector<Input> photos(Index people) {
    std::vector<Input> all;
    for (Index i = 0; i < people; ++i) {
      all.push_back(photo(100 + i, 0));
      all.push_back(photo(100 + i, 1));
    }
    return all;
  }
};

TEST_F(Train, KeepsFacesWithoutNames) {
  std::vector<Input> inputs = photos(kFewestPeople);
  write_file(inputs[1].sample.path, "not a picture");
  const TrainReport report = train(inputs, {});
  EXPECT_EQ(report.faces.people(), kFewestPeople);
  EXPECT_EQ(report.faces.count(), 2 * kFewestPeople - 1);
  ASSERT_EQ(report.rejections.size(), 1U);
  EXPECT_TRUE(report.faces.photos().col(0).isApprox(face(100, 0).reshaped(), 0.01));
  EXPECT_THAT(encode_training(report.faces), testing::Not(testing::HasSubstr("person_100")));
}

TEST_F(Train, TooFewPeopleAreRefused) {
  EXPECT_THROW(train(photos(kFewestPeople - 1), {}), Error);
}

TEST_F(Train, AGalleryUsesItAndKeepsItsOwnPeople) {
  GalleryStore gallery = make_gallery(3);
  IdentifyOptions options;
  options.method = "subspace";
  const double without =
      Identifier(gallery, options).identify({probe(0, 1)}).answers[0].candidates[0].residual;
  set_training(gallery, train(photos(kFewestPeople), {}).faces);
  // Once for all who hold them.
  EXPECT_EQ(find_training(gallery), find_training(gallery));
  EXPECT_EQ(gallery.index_keys().size(), 0U);
  const Identification with = Identifier(gallery, options).identify({probe(0, 1)}).answers[0];
  EXPECT_EQ(with.candidates.size(), 3U);
  EXPECT_NE(with.candidates[0].residual, without);
  const Background background = background_of(gallery, BackgroundParts::kPeopleAndProbes);
  EXPECT_TRUE(background.real);
  EXPECT_EQ(background.enrolled.cols(), kFewestPeople);
  EXPECT_EQ(background.probes.cols(), kFewestPeople);
}

TEST_F(Train, AnotherFrameOrSizeIsRefused) {
  GalleryStore gallery = make_gallery(1);
  IntakeOptions small;
  small.high = {24, 20};
  EXPECT_THROW(set_training(gallery, train(photos(kFewestPeople), small).faces), Error);
}

TEST_F(Train, TheFrameIsThatOfTheCrops) {
  Input plain;
  Input crop;
  crop.aligned = FaceFrame{{{0.2, 0.25}, {0.8, 0.25}}, 1.0};
  EXPECT_EQ(frame_for({plain, crop}), *crop.aligned);
  EXPECT_EQ(frame_for({plain}), FaceFrame());
}

}  // namespace
}  // namespace longshot
