// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/mat_reader.h"

#include <array>
#include <cassert>
#include <cmath>
#include <memory>
#include <optional>

#include <matio.h>

#include "longshot/core/error.h"
#include "longshot/dataset/dataset_json.h"
#include "longshot/dataset/mat_layout.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

struct CloseFile {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using File = std::unique_ptr<mat_t, CloseFile>;
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

// deflate cannot do better than 1032:1, so a file that promises more than this is damaged.
constexpr double kMaxRatio = 1040.0;
constexpr double kMaxElements = 4e9;

// Image sizes in which face sets are passed around; no two have the same number of pixels.
constexpr std::array<Size, 9> kUsualSizes = {{{192, 168},
                                              {165, 120},
                                              {112, 92},
                                              {64, 56},
                                              {60, 43},
                                              {55, 40},
                                              {48, 42},
                                              {48, 40},
                                              {32, 28}}};

bool is_numeric(const matvar_t& variable) {
  return variable.class_type >= MAT_C_DOUBLE && variable.class_type <= MAT_C_UINT64;
}

template <typename Element>
MatrixF copy_transposed(const matvar_t& variable) {
  assert(variable.data_size == static_cast<int>(sizeof(Element)));
  using Elements = Eigen::Matrix<Element, Eigen::Dynamic, Eigen::Dynamic>;
  return Eigen::Map<const Elements>(static_cast<const Element*>(variable.data),
                                    static_cast<Index>(variable.dims[0]),
                                    static_cast<Index>(variable.dims[1]))
      .transpose()
      .template cast<float>();
}

MatrixF transposed_values(const matvar_t& variable) {
  switch (variable.class_type) {
    case MAT_C_DOUBLE:
      return copy_transposed<double>(variable);
    case MAT_C_SINGLE:
      return copy_transposed<float>(variable);
    case MAT_C_INT8:
      return copy_transposed<std::int8_t>(variable);
    case MAT_C_UINT8:
      return copy_transposed<std::uint8_t>(variable);
    case MAT_C_INT16:
      return copy_transposed<std::int16_t>(variable);
    case MAT_C_UINT16:
      return copy_transposed<std::uint16_t>(variable);
    case MAT_C_INT32:
      return copy_transposed<std::int32_t>(variable);
    case MAT_C_UINT32:
      return copy_transposed<std::uint32_t>(variable);
    case MAT_C_INT64:
      return copy_transposed<std::int64_t>(variable);
    default:
      return copy_transposed<std::uint64_t>(variable);
  }
}

class Reader {
 public:
  explicit Reader(const fs::path& path) : path_(path), bytes_(check_mat_layout(path)) {
    file_.reset(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
    if (!file_ || Mat_GetVersion(file_.get()) != MAT_FT_MAT5) {
      throw Error("{} cannot be read as a MATLAB file of version 5 to 7.", path.string());
    }
  }

  // The transpose of a real matrix, or nothing if there is no variable of that name.
  std::optional<MatrixF> matrix(const char* name) const {
    const Variable variable(Mat_VarReadInfo(file_.get(), name));
    if (!variable) return std::nullopt;
    if (!is_numeric(*variable) || variable->isComplex != 0 || variable->rank != 2) {
      throw Error("{}: the variable {} must be a full matrix of real numbers.", path_.string(),
                  name);
    }
    const double rows = static_cast<double>(variable->dims[0]);
    const double cols = static_cast<double>(variable->dims[1]);
    if (rows * cols > std::min(kMaxElements, kMaxRatio * static_cast<double>(bytes_))) {
      throw Error("{} is damaged: the variable {} claims to be {}x{}, more than the file can hold.",
                  path_.string(), name, rows, cols);
    }
    if (rows == 0.0 || cols == 0.0) return MatrixF(variable->dims[1], variable->dims[0]);
    const int failed = Mat_VarReadDataAll(file_.get(), variable.get());
    if (failed != 0 || variable->data == nullptr ||
        static_cast<double>(variable->nbytes) != rows * cols * variable->data_size ||
        variable->data_size != static_cast<int>(Mat_SizeOfClass(variable->class_type))) {
      throw Error("{} is damaged: the variable {} cannot be read.", path_.string(), name);
    }
    return transposed_values(*variable);
  }

  MatrixF required(const char* name) const {
    std::optional<MatrixF> values = matrix(name);
    if (!values) {
      throw Error(
          "{} holds no variable {}: a set of faces needs fea, one face per row, and gnd, "
          "their labels.",
          path_.string(), name);
    }
    if (values->size() == 0) throw Error("{}: the variable {} is empty.", path_.string(), name);
    return std::move(*values);
  }

  // A positive whole number, or 0 if there is no variable of that name.
  Index side(const char* name) const {
    const std::optional<MatrixF> value = matrix(name);
    if (!value) return 0;
    if (value->size() != 1 || !((*value)(0) >= 1.0F) || (*value)(0) > 1e4F ||
        (*value)(0) != std::floor((*value)(0))) {
      throw Error("{}: the variable {} must be a whole number of pixels.", path_.string(), name);
    }
    return static_cast<Index>((*value)(0));
  }

 private:
  fs::path path_;
  std::uintmax_t bytes_;
  File file_;
};

Size face_size(const Reader& reader, Index pixels, const fs::path& path) {
  constexpr std::array<std::pair<const char*, const char*>, 2> kNames = {
      {{"faceH", "faceW"}, {"rows", "cols"}}};
  for (const auto& [rows_name, cols_name] : kNames) {
    const Size size = {reader.side(rows_name), reader.side(cols_name)};
    if (size.rows == 0 || size.cols == 0) continue;
    if (size.pixels() == pixels) return size;
    throw Error("{}: {} and {} say {}, but a row of fea has {} values.", path.string(), rows_name,
                cols_name, to_string(size), pixels);
  }
  const Index root = std::lround(std::sqrt(static_cast<double>(pixels)));
  if (root * root == pixels) return {root, root};
  for (const Size& size : kUsualSizes) {
    if (size.pixels() == pixels) return size;
  }
  throw Error(
      "{}: the faces have {} pixels, which is neither a square nor a usual size; add the "
      "variables faceH and faceW to the file.",
      path.string(), pixels);
}

std::vector<std::string> read_labels(const MatrixF& values, Index faces, const fs::path& path) {
  if (values.size() != faces || (values.rows() != 1 && values.cols() != 1)) {
    throw Error("{}: gnd has {}x{} labels for the {} rows of fea, one label per row is needed.",
                path.string(), values.cols(), values.rows(), faces);
  }
  std::vector<std::string> labels;
  labels.reserve(static_cast<std::size_t>(faces));
  for (const float value : values.reshaped()) {
    // Beyond 2^24 single precision leaves out whole numbers, and two people would become one.
    if (!(std::abs(value) <= 16777216.0F) || value != std::floor(value)) {
      throw Error("{}: gnd holds {}, labels must be whole numbers below 2^24.", path.string(),
                  value);
    }
    labels.push_back(fmt::format("{}", static_cast<long>(value)));
  }
  return labels;
}

// The grey value that is white: 1 or 255. Interpolation may have overshot by half the range.
double white_of(const MatrixF& pixels, const fs::path& path) {
  if (!pixels.allFinite()) {
    throw Error("{}: fea holds values that are not finite numbers.", path.string());
  }
  const double lowest = pixels.minCoeff();
  const double highest = pixels.maxCoeff();
  const double white = highest > 1.5 ? 255.0 : 1.0;
  if (lowest < -0.5 * white || highest > 1.5 * white) {
    throw Error(
        "{}: fea holds values from {} to {}, grey values from 0 to 255 or from 0 to 1 are "
        "needed.",
        path.string(), lowest, highest);
  }
  return white;
}

}  // namespace

MatFaces::MatFaces(const fs::path& file) {
  const Reader reader(file);
  pixels_ = reader.required("fea");
  labels_ = read_labels(reader.required("gnd"), pixels_.cols(), file);
  size_ = face_size(reader, pixels_.rows(), file);
  scale_ = white_of(pixels_, file);
}

Image MatFaces::face(Index row) const {
  assert(row >= 0 && row < count());
  const auto face = pixels_.col(row).reshaped(size_.rows, size_.cols).cast<double>();
  return (face.array() / scale_).max(0.0).min(1.0);
}

Dataset read_mat(const fs::path& file) {
  const MatFaces faces(file);
  Dataset dataset;
  dataset.aligned =
      aligned_frame(fs::absolute(file).parent_path(), FaceFrame{FaceFrame().eyes, kSquarePixels});
  for (Index row = 0; row < faces.count(); ++row) {
    Sample sample;
    sample.path = file;
    sample.row = row;
    sample.subject = faces.labels()[static_cast<std::size_t>(row)];
    dataset.samples.push_back(std::move(sample));
  }
  return dataset;
}

}  // namespace longshot
