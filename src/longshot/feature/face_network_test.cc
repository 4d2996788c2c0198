// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/face_network.h"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/core/random.h"
#include "longshot/feature/tiny_face_network_test.h"
#include "longshot/image/degrade.h"

namespace longshot {
namespace {

// A smooth face-like picture that has no symmetry, and the same moved to the right and down.
Image picture(Size size, double right, double down) {
  Image image(size.rows, size.cols);
  for (Index r = 0; r < size.rows; ++r) {
    for (Index c = 0; c < size.cols; ++c) {
      const double y = (static_cast<double>(r) + 0.5) / static_cast<double>(size.rows) - down;
      const double x = (static_cast<double>(c) + 0.5) / static_cast<double>(size.cols) - right;
      image(r, c) = 0.5 + 0.2 * std::sin(9.0 * x) * std::cos(7.0 * y) + 0.2 * std::sin(4.0 * x + y);
    }
  }
  return image;
}

std::string error_of(const std::filesystem::path& file) {
  try {
    const FaceNetwork network(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(FaceNetwork, TakesPicturesOf224) {
  const FaceNetwork network(tiny_face_network());
  EXPECT_EQ(network.dimensions(), 1024);
  EXPECT_NE(network.checksum(), 0U);
  Random random(1);
  const Matrix crops = Matrix::NullaryExpr(Size{24, 20}.pixels(), 20,
                                           [&](Index, Index) { return random.uniform(); });
  const Matrix together = network.embed(crops, FaceFrame(), {24, 20});
  ASSERT_EQ(together.cols(), 20);
  EXPECT_LT((together.colwise().norm().array() - 1.0).abs().maxCoeff(), 1e-6);
  const FaceNetwork other(tiny_face_network());  // that remembers nothing
  EXPECT_LT((other.embed(crops.col(17), FaceFrame(), {24, 20}) - together.col(17)).norm(), 1e-5);
}

TEST(FaceNetwork, FindsTheFaceBesideItsPlace) {
  const FaceNetwork network(tiny_face_network());
  const Size size{48, 40};
  const Vector straight = picture(size, 0.0, 0.0).reshaped();
  const Vector moved = picture(size, 0.1, -0.05).reshaped();
  const Matrix expected = network.embed(straight, FaceFrame(), size);
  const Matrix unaware = network.embed(moved, FaceFrame(), size);
  const Matrix aware = network.embed(moved, FaceFrame(), size, {0.1, -0.05, 0.0, 0.0});
  // What the moved crop does not show any more stays different.
  EXPECT_LT((aware - expected).norm(), 0.7 * (unaware - expected).norm());
}

TEST(FaceNetwork, AFileThatIsNoneIsRefused) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "none.onnx";
  const std::string bytes = read_file(tiny_face_network());
  for (const std::string& content :
       {std::string("not a network"), std::string(), bytes.substr(0, bytes.size() / 2)}) {
    write_file(path, content);
    EXPECT_THAT(error_of(path), testing::HasSubstr("face network")) << content.size();
  }
  std::filesystem::remove(path);
  EXPECT_THAT(error_of(path), testing::HasSubstr("none.onnx"));
}

TEST(InstalledFaceNetwork, IsTheOneThatIsNamedOrLiesInTheFolderOfData) {
  const Variable no_name("LONGSHOT_FACE_NETWORK", nullptr);
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "data";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "longshot");
  const Variable data("XDG_DATA_HOME", folder.c_str());
  EXPECT_EQ(installed_face_network_file(), std::nullopt);
  EXPECT_EQ(installed_face_network(), nullptr);
  const std::filesystem::path file = folder / "longshot" / "face_network.onnx";
  write_file(file, read_file(tiny_face_network()));
  EXPECT_EQ(installed_face_network_file(), file);
  ASSERT_NE(installed_face_network(), nullptr);
  EXPECT_EQ(installed_face_network(), installed_face_network());
  {
    const Variable none("LONGSHOT_FACE_NETWORK", "");
    EXPECT_EQ(installed_face_network(), nullptr);
    const Variable missing("LONGSHOT_FACE_NETWORK", "no/such.onnx");
    EXPECT_THROW(installed_face_network(), Error);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace longshot
