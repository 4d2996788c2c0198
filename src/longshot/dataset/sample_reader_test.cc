// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/sample_reader.h"

#include <matio.h>

#include "longshot/dataset/tree_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

class SampleReaderTest : public TreeTest {
 protected:
  // Two faces of 1x1, 0 and 51 of 255.
  fs::path write_mat() const {
    const fs::path path = root_ / "faces.mat";
    mat_t* file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
    std::size_t dims[2] = {2, 1};
    double values[2] = {0.0, 51.0};
    for (const char* name : {"fea", "gnd"}) {
      matvar_t* variable = Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, values, 0);
      EXPECT_EQ(Mat_VarWrite(file, variable, MAT_COMPRESSION_NONE), 0);
      Mat_VarFree(variable);
    }
    Mat_Close(file);
    return path;
  }
};

TEST_F(SampleReaderTest, ReadsImagesAndRows) {
  Sample image;
  image.path = add("a.pgm", std::string("P5\n2 1\n255\n\x00\x33", 13));
  SampleReader reader;
  EXPECT_EQ(reader.read(image), (Image(1, 2) << 0.0, 0.2).finished());
  Sample row;
  row.path = write_mat();
  row.row = 1;
  EXPECT_EQ(reader.read(row), Image::Constant(1, 1, 0.2));
}

TEST_F(SampleReaderTest, OpensAMatFileOnce) {
  SampleReader reader;
  Sample row;
  row.path = write_mat();
  row.row = 0;
  reader.read(row);
  fs::remove(row.path);
  EXPECT_EQ(reader.read(row), Image::Zero(1, 1));
}

TEST_F(SampleReaderTest, SaysWhatIsWrong) {
  SampleReader reader;
  Sample row;
  row.path = write_mat();
  row.row = 2;
  EXPECT_THAT(error_of([&] { reader.read(row); }), testing::HasSubstr("holds 2 faces"));
  row.path = root_ / "none.mat";
  EXPECT_THAT(error_of([&] { reader.read(row); }), testing::HasSubstr("No such file"));
  EXPECT_THAT(error_of([&] { reader.read(row); }), testing::HasSubstr("No such file"));
  Sample image;
  image.path = add("a.jpg", "not an image");
  EXPECT_THROW(reader.read(image), Error);
}

}  // namespace
}  // namespace longshot
