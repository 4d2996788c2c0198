// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/light_variation.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "longshot/core/decompositions.h"
#include "longshot/core/error.h"
#include "longshot/core/privacy.h"
#include "longshot/core/random.h"
#include "longshot/relight/face_plane.h"

namespace longshot {
namespace {

constexpr double kThousandths = 1000.0;
constexpr double kDarkest = 0.02;  // of the mean intensity: no photo is quite black

// Where a place on the face lies between the entries of a table.
struct Place {
  Index entry = 0;  // of the upper inner corner
  double right = 0.0;
  double down = 0.0;
  double side = 1.0;  // -1 on the image's left
};

Place place_in(const VariationTable& table, const Eigen::Vector2d& at) {
  const auto clamped = [](double value, Index count) {
    return std::clamp(value, 0.0, static_cast<double>(count - 1));
  };
  const double column = clamped(std::abs(at.x()) / table.step, table.cols);
  const double row = clamped((table.top - at.y()) / table.step, table.rows);
  const Index c = std::min(static_cast<Index>(column), table.cols - 2);
  const Index r = std::min(static_cast<Index>(row), table.rows - 2);
  return {r * table.cols + c, column - static_cast<double>(c), row - static_cast<double>(r),
          at.x() < 0.0 ? -1.0 : 1.0};
}

double look_up(const VariationTable& table, const short* values, const Place& at) {
  const short* upper = values + at.entry;
  const short* lower = upper + table.cols;
  return ((1 - at.down) * ((1 - at.right) * upper[0] + at.right * upper[1]) +
          at.down * ((1 - at.right) * lower[0] + at.right * lower[1])) /
         kThousandths;
}

// pixels x (1 + deviations): the mean photo and the deviations in a frame.
Matrix table_in_frame(const VariationTable& table, const FaceFrame& frame, Size size) {
  const FacePlane plane(frame);
  const Index entries = table.rows * table.cols;
  Matrix images(size.pixels(), 1 + table.even + table.odd);
  for (Index c = 0; c < size.cols; ++c) {
    for (Index r = 0; r < size.rows; ++r) {
      const Point centre{(static_cast<double>(c) + 0.5) / static_cast<double>(size.cols),
                         (static_cast<double>(r) + 0.5) / static_cast<double>(size.rows)};
      const Place at = place_in(table, plane.on_face(centre));
      const Index pixel = c * size.rows + r;
      images(pixel, 0) = look_up(table, table.mean, at);
      for (Index k = 0; k < table.even + table.odd; ++k) {
        const double value = look_up(table, table.deviations + k * entries, at);
        images(pixel, 1 + k) = k < table.even ? value : at.side * value;
      }
    }
  }
  return images;
}

double bilinear(const Image& image, Point fraction) {
  const double x = std::clamp(fraction.x * static_cast<double>(image.cols()) - 0.5, 0.0,
                              static_cast<double>(image.cols() - 1));
  const double y = std::clamp(fraction.y * static_cast<double>(image.rows()) - 0.5, 0.0,
                              static_cast<double>(image.rows() - 1));
  const auto c = std::min(static_cast<Index>(x), image.cols() - 2);
  const auto r = std::min(static_cast<Index>(y), image.rows() - 2);
  const double fx = x - static_cast<double>(c);
  const double fy = y - static_cast<double>(r);
  return (1 - fy) * ((1 - fx) * image(r, c) + fx * image(r, c + 1)) +
         fy * ((1 - fx) * image(r + 1, c) + fx * image(r + 1, c + 1));
}

// The symmetric and the antisymmetric half of a photo at the entries of the table.
struct Halves {
  Matrix even;  // entries x photos
  Matrix odd;
  std::vector<int> people;
};

void append_photo(Halves& halves, Index column, const Image& photo, const FacePlane& plane,
                  const VariationTable& layout) {
  double sum = 0.0;
  for (Index r = 0; r < layout.rows; ++r) {
    for (Index c = 0; c < layout.cols; ++c) {
      const double x = static_cast<double>(c) * layout.step;
      const double y = layout.top - static_cast<double>(r) * layout.step;
      const double right = bilinear(photo, plane.in_crop({x, y}));
      const double left = bilinear(photo, plane.in_crop({-x, y}));
      halves.even(r * layout.cols + c, column) = 0.5 * (right + left);
      halves.odd(r * layout.cols + c, column) = 0.5 * (right - left);
      sum += 0.5 * (right + left);
    }
  }
  const double mean = sum / static_cast<double>(layout.rows * layout.cols);
  if (!(mean > 0.0)) throw Error("A photo to learn from is black.");
  halves.even.col(column) /= mean;
  halves.odd.col(column) /= mean;
}

Halves halves_of(const std::vector<VariationPhotos>& sets, const VariationTable& layout) {
  Index photos = 0;
  for (const VariationPhotos& set : sets) photos += static_cast<Index>(set.photos.size());
  Halves halves;
  halves.even.resize(layout.rows * layout.cols, photos);
  halves.odd.resize(layout.rows * layout.cols, photos);
  std::map<std::pair<std::size_t, int>, int> people;
  Index column = 0;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const FacePlane plane(sets[s].frame);
    for (std::size_t i = 0; i < sets[s].photos.size(); ++i) {
      append_photo(halves, column++, sets[s].photos[i], plane, layout);
      halves.people.push_back(
          people.try_emplace({s, sets[s].subjects[i]}, static_cast<int>(people.size()))
              .first->second);
    }
  }
  return halves;
}

// The principal deviations from a person's mean, scaled to their standard deviation.
Matrix principal_deviations(const Matrix& values, const std::vector<int>& people, Index count) {
  std::map<int, std::vector<Index>> members;
  for (std::size_t i = 0; i < people.size(); ++i) {
    members[people[i]].push_back(static_cast<Index>(i));
  }
  Matrix covariance = Matrix::Zero(values.rows(), values.rows());
  for (const auto& [person, columns] : members) {
    if (columns.size() < 2) throw Error("A person with a single photo shows no variation.");
    const Matrix own = values(Eigen::all, columns);
    const Matrix away = own.colwise() - own.rowwise().mean();
    covariance += away * away.transpose() / static_cast<double>(columns.size() - 1);
  }
  covariance /= static_cast<double>(members.size());
  const SymmetricEigen eigen = symmetric_eigen(covariance);
  const Index kept = std::min(count, values.rows());
  return eigen.vectors.rightCols(kept).rowwise().reverse() *
         eigen.values.tail(kept).cwiseMax(0.0).cwiseSqrt().reverse().asDiagonal();
}

std::string table_text(const Matrix& values, Index columns) {
  std::string text;
  for (Index k = 0; k < values.cols(); ++k) {
    for (Index i = 0; i < values.rows(); ++i) {
      text +=
          fmt::format("{}{:.0f},", i % columns == 0 ? "\n    " : " ", values(i, k) * kThousandths);
    }
  }
  return text;
}

}  // namespace

Matrix generic_photos(const FaceFrame& frame, Size size, Index count, std::uint64_t seed) {
  const Matrix images = table_in_frame(builtin_variation(), frame, size);
  Matrix weights(images.cols(), count);
  weights.row(0).setOnes();
  for (Index j = 0; j < count; ++j) {
    Random random(seed, static_cast<std::uint64_t>(j));
    for (Index k = 1; k < weights.rows(); ++k) weights(k, j) = random.normal();
  }
  return (images * weights).cwiseMax(kDarkest);
}

std::string variation_source(const std::vector<VariationPhotos>& sets, Index even, Index odd) {
  const VariationTable layout;
  const Halves halves = halves_of(sets, layout);
  const int people =
      halves.people.empty() ? 0 : *std::max_element(halves.people.begin(), halves.people.end()) + 1;
  if (people < kFewestPeople) {
    throw Error("Statistics that ship need at least {} people, not {}.", kFewestPeople, people);
  }
  Matrix deviations(layout.rows * layout.cols, even + odd);
  deviations << principal_deviations(halves.even, halves.people, even),
      principal_deviations(halves.odd, halves.people, odd);
  return fmt::format(
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// Made by `longshot normals --from yaleb:DIR --variation FILE` from {} people.\n"
      "#include \"longshot/relight/light_variation.h\"\n\n"
      "namespace longshot {{\nnamespace {{\n\n"
      "// clang-format off\n"
      "constexpr short kMeanPhoto[] = {{{}\n}};\n\n"
      "constexpr short kDeviations[] = {{{}\n}};\n"
      "// clang-format on\n\n"
      "}}  // namespace\n\n"
      "const VariationTable& builtin_variation() {{\n"
      "  static const VariationTable table{{{}, {}, {}, {}, {}, {}, kMeanPhoto, kDeviations}};\n"
      "  return table;\n}}\n\n}}  // namespace longshot\n",
      people, table_text(halves.even.rowwise().mean(), layout.cols),
      table_text(deviations, layout.cols), layout.step, layout.top, layout.rows, layout.cols, even,
      odd);
}

}  // namespace longshot
