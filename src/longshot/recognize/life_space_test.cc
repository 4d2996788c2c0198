// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/life_space.h"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "longshot/camera/camera.h"
#include "longshot/core/error.h"
#include "longshot/core/random.h"
#include "longshot/feature/tiny_face_network_test.h"

namespace longshot {
namespace {

Matrix images(Size size, Index count) {
  Random random(1);
  return Matrix::NullaryExpr(size.pixels(), count, [&](Index, Index) { return random.uniform(); });
}

FaceGeometry crop_geometry(const FaceFrame& frame = {}) {
  return {frame, {48, 40}, {12, 10}, DegradeOperator()};
}

// y = directions (basis f - mean), as the table says.
TEST(LifeSpace, FollowsTheTable) {
  const LifeTable& table = gradient_table();
  const LifeTable::Entry& entry = table.nearest({12, 10});
  const Matrix crops = images({12, 10}, 3);
  const Matrix features =
      GradientOrientations(table.gradients, {12, 10}, FaceFrame()).features(crops);
  const Matrix expected = entry.directions * ((table.basis * features).colwise() - entry.mean);
  const LifeSpace space(crop_geometry(), table);
  EXPECT_LT((space.coordinates(crops) - expected).norm(), 1e-9 * expected.norm());
  EXPECT_EQ(space.between(), entry.between);
}

// What the network says of the photo as the probe would show it, and of the sharp photo, each with
// its mirror image.
TEST(LifeSpace, APersonIsSeenLowAndSharp) {
  const LifeTable& table = network_table();
  const LifeTable::Entry& entry = table.nearest({12, 10});
  PersonImages person;
  person.photos_low = images({12, 10}, 3);
  person.photos_high = images({48, 40}, 3);
  const LifeNetwork low(life_network(), {12, 10}, FaceFrame(), {});
  const LifeNetwork high(life_network(), {48, 40}, FaceFrame(), {});
  const auto both = [](const LifeNetwork& network, const Matrix& photos) -> Matrix {
    return (network.features(photos) + network.mirrored_features(photos)).colwise().normalized();
  };
  const Matrix features =
      (both(low, person.photos_low) + both(high, person.photos_high)).colwise().normalized();
  const Matrix expected = entry.directions * ((table.basis * features).colwise() - entry.mean);
  const LifeSpace space(crop_geometry(), table);
  EXPECT_LT((space.coordinates(person) - expected).norm(), 1e-9 * expected.norm());
  EXPECT_NE(space.coordinates(person), space.coordinates(person.photos_low));
  const LifeSpace gradients(crop_geometry(), gradient_table());
  EXPECT_EQ(gradients.coordinates(person), gradients.coordinates(person.photos_low));
}

// Tones were corrected for pixels and gradients; the network has learnt to see past them.
TEST(LifeSpace, TheNetworkSeesCropsBeforeTheirToneWasCorrected) {
  Camera camera;
  camera.size = {12, 10};
  camera.crops = 30;
  camera.learnt = true;
  camera.tone = 0.05 * Vector::LinSpaced(120, -1.0, 1.0);
  const Matrix crops = images({12, 10}, 3).array() + 1.0;
  const Matrix corrected = corrected_crops(crops, camera.size, camera);
  const LifeSpace plain(crop_geometry(), network_table());
  const LifeSpace seen(through_camera(crop_geometry(), camera), network_table());
  EXPECT_LT((seen.coordinates(corrected) - plain.coordinates(crops)).norm(), 1e-3);
  EXPECT_GT((plain.coordinates(corrected) - plain.coordinates(crops)).norm(), 0.1);
  const LifeSpace gradients(through_camera(crop_geometry(), camera), gradient_table());
  EXPECT_EQ(gradients.coordinates(corrected),
            LifeSpace(crop_geometry(), gradient_table()).coordinates(corrected));

  ModelState state;
  seen.save(state, "it");
  EXPECT_EQ(LifeSpace::load(state, "it").coordinates(corrected), seen.coordinates(corrected));
}

// A crop that shows only part of a face says less, but nothing wrong: it is nearer to the mean.
TEST(LifeSpace, WhatIsNotShownIsAsInTheMeanFace) {
  const FaceFrame tight = {{{0.1, 0.1}, {0.9, 0.1}}, 1.0};
  const Matrix crops = images({12, 10}, 20);
  const Matrix whole = LifeSpace(crop_geometry(), gradient_table()).coordinates(crops);
  const Matrix part = LifeSpace(crop_geometry(tight), gradient_table()).coordinates(crops);
  EXPECT_LT(part.norm(), whole.norm());
}

TEST(LifeSpace, AFlatImageHasNoCoordinates) {
  for (const LifeTable* table : {&gradient_table(), &network_table()}) {
    const LifeSpace space(crop_geometry(), *table);
    EXPECT_TRUE(space.coordinates(Matrix::Constant(120, 1, 0.5)).isZero(0.0));
    PersonImages person;
    person.photos_low = Matrix::Constant(120, 1, 0.5);
    person.photos_high = Matrix::Constant(1920, 1, 0.5);
    EXPECT_TRUE(space.coordinates(person).isZero(0.0));
    person.photos_low = images({12, 10}, 1);
    EXPECT_TRUE(space.coordinates(person).allFinite());
  }
}

TEST(LifeSpace, IsKeptAndRead) {
  FaceGeometry moved = crop_geometry({{{0.27, 0.23}, {0.74, 0.23}}, 1.0});
  moved.registration = {0.02, -0.01, 0.03, 0.0};
  for (const LifeTable* table : {&gradient_table(), &network_table()}) {
    const LifeSpace space(moved, *table);
    ModelState state;
    space.save(state, "it");
    const PersonImages person = {images({48, 40}, 2), images({12, 10}, 2), {}, {}};
    EXPECT_EQ(LifeSpace::load(state, "it").coordinates(person), space.coordinates(person));
  }
}

// Models that were written before the network was there do not say what they are made of.
TEST(LifeSpace, OldModelsKnowGradients) {
  const LifeSpace space(crop_geometry(), gradient_table());
  ModelState state;
  space.save(state, "it");
  const Matrix numbers = state.matrix("it.numbers");
  state.set("it.numbers", numbers.topRows(17));
  const Matrix crops = images({12, 10}, 2);
  EXPECT_EQ(LifeSpace::load(state, "it").coordinates(crops), space.coordinates(crops));
}

// Models of the first network do not say which one it was.
TEST(LifeSpace, ASpaceOfAnotherNetworkIsNoticed) {
  ModelState state;
  LifeSpace(crop_geometry(), gradient_table()).save(state, "gradients");
  LifeSpace(crop_geometry(), network_table()).save(state, "network");
  EXPECT_FALSE(holds_other_network(state));
  Matrix numbers = state.matrix("network.numbers");
  numbers(20) += 1.0;
  state.set("network.numbers", numbers);
  EXPECT_TRUE(holds_other_network(state));
  EXPECT_THROW(LifeSpace::load(state, "network"), Error);

  constexpr std::uint32_t kFirst = 0x12c45ce3;
  state.set("network.numbers", numbers.topRows(20));
  EXPECT_EQ(holds_other_network(state), life_network().checksum() != kFirst);
}

TEST(LifeSpace, DamageIsRefused) {
  ModelState whole;
  FaceGeometry geometry = crop_geometry();
  geometry.tone = Vector::Constant(120, 0.01);
  LifeSpace(geometry, network_table()).save(whole, "it");
  for (const auto& [name, values] : whole.matrices()) {
    ModelState state = whole;
    state.set(name, values.topRows(values.rows() - 2));  // one less is an older version's
    EXPECT_THROW(LifeSpace::load(state, "it"), Error) << name;
    state.set(name, Matrix::Constant(values.rows(), values.cols(), std::nan("")));
    EXPECT_THROW(LifeSpace::load(state, "it"), Error) << name;
  }
}

FaceGeometry large_geometry() {
  return {FaceFrame(), {48, 40}, {24, 20}, DegradeOperator()};
}

ModelState state_of(const std::vector<const LifeTable*>& tables) {
  ModelState state;
  for (const LifeTable* table : tables) {
    LifeSpace(large_geometry(), *table)
        .save(state, std::to_string(static_cast<int>(table->features)));
  }
  return state;
}

TEST(LifeSpace, OfAnInstalledFaceNetworkFollowsItsTable) {
  const Variable installed("LONGSHOT_FACE_NETWORK", tiny_face_network().c_str());
  const LifeTable& table = face_network_table();
  const LifeTable::Entry& entry = table.nearest({24, 20});
  Matrix crops = images({24, 20}, 3);
  const LifeSpace space(large_geometry(), table);
  const Matrix features = installed_face_network()->embed(crops, FaceFrame(), {24, 20});
  const Matrix expected = entry.directions * ((table.basis * features).colwise() - entry.mean);
  EXPECT_LT((space.coordinates(crops) - expected).norm(), 1e-9 * expected.norm());

  ModelState state;
  space.save(state, "it");
  EXPECT_EQ(LifeSpace::load(state, "it").coordinates(crops), space.coordinates(crops));
  crops.col(1).setConstant(0.5);
  EXPECT_TRUE(space.coordinates(crops).col(1).isZero(0.0));
}

TEST(LifeSpace, WithoutItsFaceNetworkAModelMustBeMadeAnew) {
  ModelState with;
  {
    const Variable installed("LONGSHOT_FACE_NETWORK", tiny_face_network().c_str());
    with = state_of({&gradient_table(), &network_table(), &face_network_table()});
    EXPECT_FALSE(holds_other_network(with));
  }
  const Variable none("LONGSHOT_FACE_NETWORK", "");
  EXPECT_TRUE(holds_other_network(with));
  EXPECT_THROW(LifeSpace::load(with, "3"), Error);
  EXPECT_THROW(LifeSpace(large_geometry(), face_network_table()), Error);
}

TEST(LifeSpace, AFaceNetworkThatWasInstalledSinceIsToBeUsed) {
  const ModelState without = state_of({&gradient_table(), &network_table()});
  const ModelState one_part = state_of({&network_table()});
  EXPECT_FALSE(holds_other_network(without));
  const Variable installed("LONGSHOT_FACE_NETWORK", tiny_face_network().c_str());
  EXPECT_TRUE(holds_other_network(without));
  EXPECT_FALSE(holds_other_network(one_part));
  EXPECT_TRUE(has_face_network_for({24, 20}));
  EXPECT_FALSE(has_face_network_for({12, 10}));
}

}  // namespace
}  // namespace longshot
