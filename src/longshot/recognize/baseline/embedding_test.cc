// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/embedding.h"

#include <filesystem>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/core/parallel.h"
#include "longshot/core/test_data.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

std::string loading_error(const std::filesystem::path& network) {
  try {
    const Embedding recognizer({network, true});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(EmbeddingTest, ANetworkIsNeeded) {
  EXPECT_THAT(loading_error(""), testing::HasSubstr("needs the ONNX file"));
  EXPECT_THAT(loading_error("no/such.onnx"), testing::HasSubstr("no/such.onnx"));
}

TEST(EmbeddingTest, AFileThatIsNoNetworkIsRefused) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "embedding_test.onnx";
  write_file(path, "not a network");
  EXPECT_THAT(loading_error(path), testing::HasSubstr("face network"));
  std::filesystem::remove(path);
}

class FaceNetworkTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto path = test_data("models/mobilefacenet_128.onnx");
    if (!path) GTEST_SKIP() << "skipped: no data";
    network_.emplace(*path);
  }
  std::optional<FaceNetwork> network_;
};

TEST_F(FaceNetworkTest, VectorsAreOfUnitLengthAndDoNotDependOnTheBatch) {
  const RecognizerProblem& problem = recognizer_problem();
  const FaceNetwork other(*test_data("models/mobilefacenet_128.onnx"));  // that remembers nothing
  const Matrix together =
      network_->embed(problem.probes, problem.geometry().frame, problem.geometry().low);
  ASSERT_EQ(together.rows(), network_->dimensions());
  EXPECT_EQ(together.rows(), 128);
  ASSERT_EQ(together.cols(), problem.probes.cols());
  for (const Index j : {Index{0}, Index{5}, problem.probes.cols() - 1}) {
    EXPECT_NEAR(together.col(j).norm(), 1.0, 1e-6);
    const Matrix alone =
        other.embed(problem.probes.col(j), problem.geometry().frame, problem.geometry().low);
    EXPECT_LT((alone - together.col(j)).norm(), 1e-4);
  }
  EXPECT_GT((together.col(0) - together.col(5)).norm(), 1e-3);
}

TEST_F(FaceNetworkTest, RemembersAFaceOnlyInItsFrameAndSize) {
  const RecognizerProblem& problem = recognizer_problem();
  FaceFrame shifted = problem.geometry().frame;
  shifted.eyes.left.y += 0.1;
  shifted.eyes.right.y += 0.1;
  const Matrix probe = problem.probes.leftCols(1);
  const Matrix first = network_->embed(probe, problem.geometry().frame, {7, 6});
  EXPECT_EQ(network_->embed(probe, problem.geometry().frame, {7, 6}), first);
  EXPECT_GT((network_->embed(probe, shifted, {7, 6}) - first).norm(), 1e-3);
  EXPECT_GT((network_->embed(probe, problem.geometry().frame, {6, 7}) - first).norm(), 1e-3);
}

// Enrolling in parallel must not deadlock on the network's lock.
TEST_F(FaceNetworkTest, ManyThreadsMayUseIt) {
  const RecognizerProblem& problem = recognizer_problem();
  const Matrix expected =
      network_->embed(problem.probes, problem.geometry().frame, problem.geometry().low);
  Matrix result(network_->dimensions(), problem.probes.cols());
  parallel_for(problem.probes.cols(), [&](Index j) {
    result.col(j) =
        network_->embed(problem.probes.col(j), problem.geometry().frame, problem.geometry().low);
  });
  EXPECT_LT((result - expected).cwiseAbs().maxCoeff(), 1e-4);
}

}  // namespace
}  // namespace longshot
