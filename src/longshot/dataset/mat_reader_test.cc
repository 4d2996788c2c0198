// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/mat_reader.h"

#include <cstring>

#include <matio.h>

#include "longshot/dataset/tree_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Columns and rows of a matrix as MATLAB writes them.
struct Variable {
  const char* name;
  matio_classes class_type;
  matio_types data_type;
  std::size_t rows;
  std::size_t cols;
  const void* data;
};

Variable doubles(const char* name, const Matrix& values) {
  return {name,
          MAT_C_DOUBLE,
          MAT_T_DOUBLE,
          static_cast<std::size_t>(values.rows()),
          static_cast<std::size_t>(values.cols()),
          values.data()};
}

class MatReader : public TreeTest {
 protected:
  fs::path write(const std::vector<Variable>& variables, bool compressed = false,
                 mat_ft version = MAT_FT_MAT5) const {
    const fs::path path = root_ / "faces.mat";
    mat_t* file = Mat_CreateVer(path.c_str(), nullptr, version);
    EXPECT_NE(file, nullptr);
    for (const Variable& v : variables) {
      std::size_t dims[2] = {v.rows, v.cols};
      matvar_t* variable = Mat_VarCreate(v.name, v.class_type, v.data_type, 2, dims,
                                         const_cast<void*>(v.data), MAT_F_DONT_COPY_DATA);
      EXPECT_EQ(
          Mat_VarWrite(file, variable, compressed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE),
          0);
      Mat_VarFree(variable);
    }
    Mat_Close(file);
    return path;
  }
  // Two labels and faces of that many pixels, all grey.
  fs::path write_grey(Index pixels, const std::vector<Variable>& more = {}) const {
    const Matrix fea = Matrix::Constant(2, pixels, 128.0);
    const Matrix gnd = Matrix::Constant(2, 1, 7.0);
    std::vector<Variable> variables = more;
    variables.push_back(doubles("fea", fea));
    variables.push_back(doubles("gnd", gnd));
    return write(variables);
  }
  std::string message(const fs::path& path) const {
    return error_of([&] { MatFaces faces(path); });
  }

  // Three faces of 3x3; face k has the value 28 * j + k at column-major pixel j.
  const Matrix fea_ = Matrix::NullaryExpr(3, 9, [](Index k, Index j) { return 28.0 * j + k; });
  const Matrix gnd_ = Eigen::Vector3d(1, 12, 1);
};

TEST_F(MatReader, ReadsDoubleSingleAndBytesPlainAndCompressed) {
  const MatrixF single = fea_.cast<float>();
  const Eigen::Matrix<std::uint8_t, 3, 9> bytes = fea_.cast<std::uint8_t>();
  const Eigen::Matrix<std::uint8_t, 1, 3> labels = gnd_.transpose().cast<std::uint8_t>();
  const std::vector<std::vector<Variable>> files = {
      {doubles("fea", fea_), doubles("gnd", gnd_)},
      {doubles("gnd", gnd_), {"fea", MAT_C_SINGLE, MAT_T_SINGLE, 3, 9, single.data()}},
      {{"fea", MAT_C_UINT8, MAT_T_UINT8, 3, 9, bytes.data()},
       {"gnd", MAT_C_UINT8, MAT_T_UINT8, 1, 3, labels.data()}}};
  for (const std::vector<Variable>& variables : files) {
    for (const bool compressed : {false, true}) {
      const MatFaces faces(write(variables, compressed));
      EXPECT_EQ(faces.count(), 3);
      EXPECT_EQ(faces.size(), (Size{3, 3}));
      EXPECT_THAT(faces.labels(), testing::ElementsAre("1", "12", "1"));
      const Image face = faces.face(2);
      ASSERT_EQ(size_of(face), (Size{3, 3}));
      EXPECT_EQ(face(0, 0), 2.0 / 255.0);
      EXPECT_EQ(face(1, 0), 30.0 / 255.0);
      EXPECT_EQ(face(0, 1), 86.0 / 255.0);
      EXPECT_EQ(face(2, 2), 226.0 / 255.0);
    }
  }
}

TEST_F(MatReader, ValuesUpToOneAreTakenAsTheyAre) {
  const Matrix fea = (fea_ / 200.0).array() - 0.1;
  const MatFaces faces(write({doubles("fea", fea), doubles("gnd", gnd_)}));
  EXPECT_NEAR(faces.face(1)(1, 0), 29.0 / 200.0 - 0.1, 1e-7);
  EXPECT_EQ(faces.face(0)(0, 0), 0.0);
  EXPECT_EQ(faces.face(0)(2, 2), 1.0);
}

TEST_F(MatReader, FindsTheSizeOfTheFaces) {
  EXPECT_EQ(MatFaces(write_grey(1024)).size(), (Size{32, 32}));
  EXPECT_EQ(MatFaces(write_grey(192 * 168)).size(), (Size{192, 168}));
  EXPECT_EQ(MatFaces(write_grey(48 * 40)).size(), (Size{48, 40}));
  EXPECT_EQ(MatFaces(write_grey(55 * 40)).size(), (Size{55, 40}));
  const Matrix rows = Matrix::Constant(1, 1, 64.0);
  const Matrix cols = Matrix::Constant(1, 1, 36.0);
  const Matrix odd = Matrix::Constant(1, 1, 2.5);
  EXPECT_EQ(MatFaces(write_grey(64 * 36, {doubles("faceH", rows), doubles("faceW", cols)})).size(),
            (Size{64, 36}));
  EXPECT_EQ(MatFaces(write_grey(64 * 36, {doubles("rows", rows), doubles("cols", cols)})).size(),
            (Size{64, 36}));
  EXPECT_THAT(message(write_grey(35)), HasSubstr("add the variables faceH and faceW"));
  EXPECT_THAT(message(write_grey(1024, {doubles("rows", rows), doubles("cols", cols)})),
              HasSubstr("say 64x36"));
  EXPECT_THAT(message(write_grey(1024, {doubles("faceH", odd), doubles("faceW", cols)})),
              HasSubstr("faceH must be a whole number"));
}

TEST_F(MatReader, SaysWhatIsWrongWithTheVariables) {
  const auto error = [&](const std::vector<Variable>& variables) {
    return message(write(variables));
  };
  const Matrix four = Matrix::Zero(4, 1);
  const Matrix turned = fea_.transpose();
  Matrix bad = fea_;
  EXPECT_THAT(error({doubles("gnd", gnd_)}), HasSubstr("holds no variable fea"));
  EXPECT_THAT(error({doubles("fea", fea_)}), HasSubstr("holds no variable gnd"));
  EXPECT_THAT(error({doubles("fea", fea_), doubles("gnd", four)}), HasSubstr("gnd has 4x1 labels"));
  EXPECT_THAT(error({doubles("fea", turned), doubles("gnd", gnd_)}), HasSubstr("9 rows of fea"));
  bad(1, 1) = std::nan("");
  EXPECT_THAT(error({doubles("fea", bad), doubles("gnd", gnd_)}), HasSubstr("not finite"));
  bad(1, 1) = 1000.0;
  EXPECT_THAT(error({doubles("fea", bad), doubles("gnd", gnd_)}), HasSubstr("to 1000"));
  bad(1, 1) = -200.0;
  EXPECT_THAT(error({doubles("fea", bad), doubles("gnd", gnd_)}), HasSubstr("from -200"));
  for (const double label : {1.5, 1e9, std::nan("")}) {
    const Matrix labels = Eigen::Vector3d(1, label, 2);
    EXPECT_THAT(error({doubles("fea", fea_), doubles("gnd", labels)}), HasSubstr("whole numbers"));
  }
  const Matrix none(0, 9);
  EXPECT_THAT(error({doubles("fea", none), doubles("gnd", gnd_)}), HasSubstr("is empty"));
  EXPECT_THAT(error({{"fea", MAT_C_CHAR, MAT_T_UINT8, 1, 3, "abc"}, doubles("gnd", gnd_)}),
              HasSubstr("full matrix of real numbers"));
}

TEST_F(MatReader, SaysWhatIsWrongWithTheFile) {
  EXPECT_THAT(message(root_ / "none.mat"), HasSubstr("No such file"));
  EXPECT_THAT(message(add("a.mat", "")), HasSubstr("shorter than the header"));
  EXPECT_THAT(message(add("a.mat", std::string(4096, 'x'))), HasSubstr("not a MATLAB file"));
  const fs::path path = write({doubles("fea", fea_), doubles("gnd", gnd_)});
  std::string bytes = read_file(path);
  bytes[125] = 2;
  EXPECT_THAT(message(add("a.mat", bytes)), HasSubstr("save -v7"));
}

TEST_F(MatReader, NoTruncationGoesUnnoticed) {
  for (const bool compressed : {false, true}) {
    const std::string bytes =
        read_file(write({doubles("fea", fea_), doubles("gnd", gnd_)}, compressed));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_NE(message(add("cut.mat", bytes.substr(0, size))), "") << size;
    }
  }
}

TEST_F(MatReader, HugeClaimsAreRefusedBeforeMemoryIsTaken) {
  const fs::path path = write({doubles("fea", fea_), doubles("gnd", gnd_)});
  std::string bytes = read_file(path);
  // Header 128, tag 8, array flags 16, dimensions 8 + 2 words (MathWorks, "MAT-File Format").
  for (const std::int32_t rows : {1000000000, 2147483647, -1}) {
    std::memcpy(bytes.data() + 160, &rows, sizeof rows);
    std::memcpy(bytes.data() + 164, &rows, sizeof rows);
    EXPECT_THAT(message(add("huge.mat", bytes)), HasSubstr("huge.mat")) << rows;
  }
}

TEST_F(MatReader, FlippedBytesGiveAnErrorOrFiniteFacesAndNoOutput) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  for (const bool compressed : {false, true}) {
    const std::string bytes =
        read_file(write({doubles("fea", fea_), doubles("gnd", gnd_)}, compressed));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (const char flip : {'\x01', '\x80', '\xFF'}) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ flip);
        try {
          const MatFaces faces(add("damaged.mat", damaged));
          ASSERT_GT(faces.count(), 0);
          EXPECT_TRUE(faces.face(faces.count() - 1).allFinite());
        } catch (const Error& error) {
          EXPECT_THAT(error.what(), HasSubstr("damaged.mat"));
        }
      }
    }
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST_F(MatReader, GivesOneSamplePerFace) {
  const fs::path path = write({doubles("fea", fea_), doubles("gnd", gnd_)});
  const Dataset dataset = read_mat(path);
  ASSERT_EQ(dataset.samples.size(), 3U);
  EXPECT_EQ(dataset.samples[1].path, path);
  EXPECT_EQ(dataset.samples[1].row, 1);
  EXPECT_EQ(dataset.samples[1].subject, "12");
  EXPECT_EQ(dataset.aligned, (FaceFrame{FaceFrame().eyes, kSquarePixels}));
  add("dataset.json", R"({"aligned": true, "eyes": [0.27, 0.23, 0.74, 0.23]})");
  EXPECT_EQ(read_mat(path).aligned, (FaceFrame{{{0.27, 0.23}, {0.74, 0.23}}, kSquarePixels}));
}

}  // namespace
}  // namespace longshot
