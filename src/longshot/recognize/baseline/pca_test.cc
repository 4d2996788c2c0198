// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/pca.h"

#include <gtest/gtest.h>

#include "longshot/recognize/baseline/rendered_people_test.h"

namespace longshot {
namespace {

TEST(PcaNearest, FullPcaIsNearestNeighbourInPixels) {
  TrainingSet training = rendered_people::training(20, 6);
  PcaNearestOptions options;
  options.tune = false;
  options.feature.pca.energy = 1.0;
  PcaNearest recognizer(options);
  recognizer.learn(training);
  ASSERT_EQ(recognizer.model().probe.dimensions(), rendered_people::kLow.pixels());
  const PersonImages person = training.extender->extend(rendered_people::photos(1, 2));
  const auto searcher = recognizer.make_searcher();
  searcher->add(recognizer.enrol(person));
  const Matrix probe = training.extender->degrade(rendered_people::photos(2, 1));
  const Matrix gallery = person.photos_low.colwise().normalized();
  const double expected =
      (gallery.colwise() - probe.col(0).normalized()).colwise().squaredNorm().minCoeff();
  EXPECT_NEAR(searcher->distances(probe)(0, 0), expected, 1e-12);
}

TEST(PcaNearest, OnlyTheExtendedOneEnrolsRelitImages) {
  const TrainingSet training = rendered_people::training();
  const PersonImages person = training.extender->extend(rendered_people::photos(1, 1));
  for (const bool extended : {false, true}) {
    PcaNearestOptions options;
    options.extended = extended;
    PcaNearest recognizer(options);
    recognizer.learn(training);
    EXPECT_EQ(recognizer.enrol(person).part("samples").cols(),
              extended ? person.relit_low.cols() : 1);
  }
}

}  // namespace
}  // namespace longshot
