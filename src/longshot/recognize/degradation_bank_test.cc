// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/degradation_bank.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

class Bank : public testing::Test {
 protected:
  static const TrainingSet& training() { return recognizer_problem().training; }
  static const FaceGeometry& geometry() { return training().extender->geometry(); }
  static const DegradationBank& bank() {
    static const DegradationBank made =
        DegradationBank::learn(training(), usual_degradations(geometry()));
    return made;
  }
  // All enrolled people's photos, whom the bank has not seen.
  static Matrix photos() {
    Matrix high(geometry().high.pixels(), 0);
    for (const PersonImages& person : recognizer_problem().people) {
      high.conservativeResize(Eigen::NoChange, high.cols() + 1);
      high.rightCols(1) = person.photos_high;
    }
    return high;
  }
};

TEST_F(Bank, TakesAProbeOfTheGallerysOperatorForWhatItIs) {
  const Matrix probes = training().extender->degrade(photos());
  for (const Index chosen : bank().choose_each(probes)) EXPECT_EQ(chosen, 0);
}

TEST_F(Bank, SeesMuchNoise) {
  Matrix probes = training().extender->degrade(photos());
  Random random(3);
  for (double& value : probes.reshaped()) value += 0.3 * probes.mean() * random.normal();
  const Index chosen = bank().choose_for_all(probes.cwiseMax(0.0));
  EXPECT_EQ(bank().degradation(chosen).member, 2);
}

TEST_F(Bank, RestoresASofterProbe) {
  const DegradeOperator soft = parse_operator("gauss:0.8");
  const Matrix sharp = training().extender->degrade(photos());
  const Matrix seen = Degrader(soft, geometry().high, geometry().low).apply_columns(photos());
  const Index chosen = bank().choose_for_all(seen);
  EXPECT_GE(bank().degradation(chosen).op.blur_factor, 0.55);
  const Matrix restored = bank().restored(seen, chosen);
  EXPECT_LT((restored - sharp).norm(), 0.7 * (seen - sharp).norm());
}

TEST_F(Bank, ComesBackFromAModel) {
  ModelState state;
  bank().save(state);
  const DegradationBank back = DegradationBank::load(state);
  const Matrix probes = training().extender->degrade(photos());
  EXPECT_EQ(back.log_likelihoods(probes), bank().log_likelihoods(probes));
  EXPECT_EQ(back.degradation(3), bank().degradation(3));
  state.set("bank1.whitener", Matrix::Zero(2, 2));
  EXPECT_THROW(DegradationBank::load(state), Error);
}

}  // namespace
}  // namespace longshot
