// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/builtin_prior.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "longshot/relight/face_plane.h"

namespace longshot {
namespace {

// Where nobody was measured the albedo is the nearest known one, and the deviation at least this.
constexpr double kUnknownDeviation = 0.25;
constexpr double kPriorThousandths = 1000.0;

// As fractions of the crop.
// Bilinear in the table; x is mirrored, the border repeated.
double look_up(const BuiltinPriorTable& table, const short* values, double x, double y) {
  const auto coordinate = [](double at, Index count) {
    return std::clamp(at, 0.0, static_cast<double>(count - 1));
  };
  const double column = coordinate(std::abs(x) / table.step, table.cols);
  const double row = coordinate((table.top - y) / table.step, table.rows);
  const Index c = std::min(static_cast<Index>(column), table.cols - 2);
  const Index r = std::min(static_cast<Index>(row), table.rows - 2);
  const double fc = column - static_cast<double>(c);
  const double fr = row - static_cast<double>(r);
  const auto at = [&](Index i, Index j) { return static_cast<double>(values[i * table.cols + j]); };
  return ((1 - fr) * ((1 - fc) * at(r, c) + fc * at(r, c + 1)) +
          fr * ((1 - fc) * at(r + 1, c) + fc * at(r + 1, c + 1))) /
         kPriorThousandths;
}

// Mean over the measured pixels around a point of the face and around its mirror image, weighted by
// distance; the nearest ones decide where none is close.
struct LocalMean {
  double mean = 1.0;
  double deviation = kUnknownDeviation;
};

LocalMean local_mean(const MeanFaceStatistics& statistics,
                     const std::vector<Eigen::Vector2d>& points, double x, double y, double width) {
  double weight_sum = 0.0;
  double mean = 0.0;
  double variance = 0.0;
  double nearest = 1e300;
  for (std::size_t p = 0; p < points.size(); ++p) {
    const auto pixel = static_cast<Index>(p);
    if (statistics.normals.mask(pixel) == 0.0) continue;
    for (const double side : {x, -x}) {
      const double square = (points[p] - Eigen::Vector2d(side, y)).squaredNorm();
      nearest = std::min(nearest, square);
      const double weight = std::exp(-0.5 * square / (width * width)) + 1e-12 / (1e-3 + square);
      weight_sum += weight;
      mean += weight * statistics.albedo_mean(pixel);
      variance += weight * statistics.albedo_variance(pixel);
    }
  }
  if (weight_sum == 0.0) return {};
  LocalMean result{mean / weight_sum, std::sqrt(variance / weight_sum)};
  if (nearest > 4.0 * width * width) {
    result.deviation = std::max(result.deviation, kUnknownDeviation);
  }
  return result;
}

std::string table_text(const std::vector<double>& values, Index columns) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool first = static_cast<Index>(i) % columns == 0;
    text += fmt::format("{}{:.0f},", first ? "\n    " : " ", values[i] * kPriorThousandths);
  }
  return text;
}

}  // namespace

AlbedoPrior builtin_albedo_prior(const FaceFrame& frame, Size size) {
  const BuiltinPriorTable& table = builtin_prior_table();
  const FacePlane plane(frame);
  AlbedoPrior prior;
  prior.size = size;
  prior.mean.resize(size.pixels());
  prior.variance.resize(size.pixels());
  for (Index c = 0; c < size.cols; ++c) {
    for (Index r = 0; r < size.rows; ++r) {
      const Eigen::Vector2d at = plane.on_face(pixel_centre(r, c, size));
      const Index pixel = c * size.rows + r;
      prior.mean(pixel) = look_up(table, table.mean, at.x(), at.y());
      const double deviation = look_up(table, table.deviation, at.x(), at.y());
      prior.variance(pixel) = deviation * deviation;
    }
  }
  return prior;
}

std::string builtin_prior_source(const MeanFaceStatistics& statistics) {
  const BuiltinPriorTable layout;
  const NormalMap& map = statistics.normals;
  const FacePlane plane(map.frame);
  std::vector<Eigen::Vector2d> points;
  for (Index c = 0; c < map.size.cols; ++c) {
    for (Index r = 0; r < map.size.rows; ++r)
      points.push_back(plane.on_face(pixel_centre(r, c, map.size)));
  }
  std::vector<double> mean;
  std::vector<double> deviation;
  for (Index r = 0; r < layout.rows; ++r) {
    for (Index c = 0; c < layout.cols; ++c) {
      const LocalMean local =
          local_mean(statistics, points, static_cast<double>(c) * layout.step,
                     layout.top - static_cast<double>(r) * layout.step, 0.5 * layout.step);
      mean.push_back(local.mean);
      deviation.push_back(local.deviation);
    }
  }
  return fmt::format(
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// Made by `longshot normals --from yaleb:DIR --albedo FILE` from {} people.\n"
      "#include \"longshot/relight/builtin_prior.h\"\n\n"
      "namespace longshot {{\nnamespace {{\n\n"
      "// clang-format off\n"
      "constexpr short kMean[] = {{{}\n}};\n\n"
      "constexpr short kDeviation[] = {{{}\n}};\n"
      "// clang-format on\n\n"
      "}}  // namespace\n\n"
      "const BuiltinPriorTable& builtin_prior_table() {{\n"
      "  static const BuiltinPriorTable table{{{}, {}, {}, {}, kMean, kDeviation}};\n"
      "  return table;\n}}\n\n}}  // namespace longshot\n",
      statistics.people, table_text(mean, layout.cols), table_text(deviation, layout.cols),
      layout.step, layout.top, layout.rows, layout.cols);
}

}  // namespace longshot
