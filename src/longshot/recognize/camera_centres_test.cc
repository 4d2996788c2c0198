// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/camera_centres.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "longshot/camera/small_people_test.h"
#include "longshot/core/error.h"
#include "longshot/core/privacy.h"
#include "longshot/recognize/life_space.h"
#include "longshot/recognize/method.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

constexpr Index kDimensions = 20;
const Vector kBetween = Vector::Constant(kDimensions, 4.0);

// `people` of `photos` each, as PLDA expects them; all beside their place by `shift`.
Matrix faces_of(Index people, Index photos, double shift, std::uint64_t seed) {
  Random random(seed);
  Matrix faces(kDimensions, people * photos);
  for (Index i = 0; i < people; ++i) {
    const Vector own = Vector::NullaryExpr(kDimensions, [&] { return 2.0 * random.normal(); });
    for (Index k = 0; k < photos; ++k) {
      faces.col(i * photos + k) =
          own + Vector::NullaryExpr(kDimensions, [&] { return shift + 0.5 * random.normal(); });
    }
  }
  return faces;
}

Index groups_of(const Matrix& faces) {
  const std::vector<Index> groups = group_faces(faces, faces_of(60, 1, 0.0, 9), kBetween);
  return *std::ranges::max_element(groups) + 1;
}

TEST(GroupFaces, ManyPeopleAreManyWhereverTheyLie) {
  EXPECT_GE(groups_of(faces_of(40, 1, 0.0, 1)), 32);
  EXPECT_GE(groups_of(faces_of(40, 1, 3.0, 1)), 32);
  EXPECT_EQ(groups_of(faces_of(40, 1, 0.0, 1)), groups_of(faces_of(40, 1, 3.0, 1)));
}

TEST(GroupFaces, ManyCropsOfAFewAreAFew) {
  EXPECT_EQ(groups_of(faces_of(2, 30, 3.0, 2)), 2);
  EXPECT_EQ(groups_of(faces_of(5, 20, 0.0, 3)), 5);
}

TEST(GroupFaces, OneFaceIsOneGroup) {
  EXPECT_EQ(groups_of(faces_of(1, 1, 0.0, 4)), 1);
  EXPECT_EQ(groups_of(Matrix::Ones(kDimensions, 30)), 1);
  EXPECT_THROW(group_faces(faces_of(3, 1, 0.0, 5), faces_of(1, 1, 0.0, 6), kBetween), Error);
}

class CameraCentres : public testing::Test {
 protected:
  CameraCentres() {
    Random random(3);
    for (Index j = 0; j < 40; ++j) photos_.col(j) = smooth_albedo(high_, random);
    reference_ = {geometry_, photos_, 40, photos_};
  }
  Matrix crops(const Matrix& photos) const {
    return seen_by_camera(photos, geometry_, geometry_.op);
  }

  const Size high_{48, 40};
  const FaceGeometry geometry_{FaceFrame(), high_, {12, 10}, DegradeOperator()};
  Matrix photos_ = Matrix(48 * 40, 40);
  CameraReference reference_;
};

TEST_F(CameraCentres, FewCropsOrPeopleHaveNone) {
  const Matrix all = crops(photos_);
  EXPECT_TRUE(learn_centred_camera(all.leftCols(kFewestPeople - 1), reference_).centres.empty());
  CameraReference few = reference_;
  few.photos = photos_.leftCols(kFewestPeople - 1);
  EXPECT_TRUE(learn_centred_camera(all, few).centres.empty());
  // However many crops show one person.
  EXPECT_TRUE(learn_centred_camera(all.col(0).replicate(1, 40), reference_).centres.empty());
}

TEST_F(CameraCentres, AreThoseOfTheGalleryWhereTheCropsAre) {
  const Camera camera = learn_centred_camera(crops(photos_), reference_);
  ASSERT_EQ(camera.centres.size(), 2U);
  EXPECT_GE(camera.faces, kFewestPeople);
  EXPECT_EQ(camera.people, 40);
  const LifeSpace gradients(through_camera(geometry_, camera), gradient_table());
  const Camera copy = decode_camera(encode_camera(camera), "copy");
  EXPECT_EQ(gradients.move_of(copy), gradients.move_of(camera));
  EXPECT_EQ(copy.faces, camera.faces);
}

// What all crops have in common is taken away, but for what a mean of so many leaves to chance.
TEST_F(CameraCentres, MoveTheCropsToThePeople) {
  const LifeSpace space(geometry_, gradient_table());
  const Matrix own = space.features(MatrixRef(crops(photos_)));
  Camera camera;
  camera.size = geometry_.low;
  camera.crops = camera.faces = camera.people = 1000000;
  EXPECT_EQ(space.move_of(camera).size(), 0);
  const Vector people = own.rowwise().mean();
  const Matrix images = crops(photos_);
  const Vector centre = space.coordinates(images).rowwise().mean();
  // Crops that lie where the photos do come to lie where people are expected by one photo.
  camera.centres = {space.centre(people, people)};
  const Vector expected = centre.array() * space.between().array() / (1 + space.between().array());
  const Vector same = space.moved_coordinates(images, space.move_of(camera)).rowwise().mean();
  EXPECT_LT((same - expected).norm(), 1e-3 * centre.norm());
  camera.centres = {space.centre(people.array() + 0.05, people)};
  const Vector move = space.move_of(camera);
  const Vector there = space.moved_coordinates(images, move).rowwise().mean();
  camera.faces = 1;
  EXPECT_LT(space.move_of(camera).norm(), move.norm() + centre.norm());
  EXPECT_LT((there - centre - move).norm(), 1e-9 * centre.norm());
  Matrix flat = Matrix::Constant(geometry_.low.pixels(), 1, 0.5);
  EXPECT_TRUE(space.moved_coordinates(flat, move).isZero(0.0));
  camera.centres.front().checksum = 1;  // of another network
  EXPECT_EQ(space.move_of(camera).size(), 0);
}

TEST(CentredSearcher, AnswersOtherwiseAndLeavesTheFirstAsItWas) {
  const RecognizerProblem& problem = recognizer_problem();
  for (const char* name : {"longshot", "net", "plda"}) {
    const auto recognizer = make_recognizer(name, {Profile::kBest, false, {}, {}});
    recognizer->learn(problem.training);
    const std::shared_ptr<const Searcher> people = enrol_all(*recognizer, problem.people);
    const Matrix before = people->distances(problem.probes);
    Camera camera;
    camera.faces = camera.people = 50;
    EXPECT_EQ(centred(people, camera), people) << name;
    for (const LifeTable* table : {&network_table(), &gradient_table()}) {
      const LifeSpace space(problem.geometry(), *table);
      const Matrix features = space.features(problem.probes);
      camera.centres.push_back(space.centre(features.rowwise().mean(), features.col(0)));
    }
    const Matrix after = centred(people, camera)->distances(problem.probes);
    EXPECT_GT((after - before).cwiseAbs().maxCoeff(), 1e-3) << name;
    EXPECT_EQ(people->distances(problem.probes), before) << name;
    EXPECT_EQ(centred(people, std::nullopt), people);
  }
  const auto pixels = make_recognizer("pca", {Profile::kPaper, false, {}, {}});
  pixels->learn(problem.training);
  EXPECT_EQ(enrol_all(*pixels, problem.people)->centred(Camera()), nullptr);
}

}  // namespace
}  // namespace longshot
