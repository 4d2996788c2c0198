// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/shape_fit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Cholesky>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/relight/face_plane.h"

namespace longshot {
namespace {

// One usable normal in face coordinates.
struct Observation {
  double x = 0.0;
  double y = 0.0;
  Eigen::Vector3d normal;
  double weight = 0.0;
};

std::vector<Observation> observations_of(std::span<const WeightedNormals> measurements,
                                         double least_z) {
  std::vector<Observation> result;
  for (const WeightedNormals& measurement : measurements) {
    const NormalMap& map = measurement.map;
    map.check();
    if (measurement.weights.size() != map.size.pixels() ||
        !(measurement.weights.minCoeff() >= 0.0) || !measurement.weights.allFinite()) {
      throw Error("A shape fit needs one weight of 0 or more for every pixel of the normal map.");
    }
    const FacePlane plane(map.frame);
    for (Index p = 0; p < map.size.pixels(); ++p) {
      if (map.mask[p] == 0.0 || map.normals(2, p) < least_z || measurement.weights[p] == 0.0) {
        continue;
      }
      const Index col = p / map.size.rows;
      const Index row = p % map.size.rows;
      const Eigen::Vector2d at =
          plane.on_face({(static_cast<double>(col) + 0.5) / static_cast<double>(map.size.cols),
                         (static_cast<double>(row) + 0.5) / static_cast<double>(map.size.rows)});
      Eigen::Vector3d normal = map.normals.col(p);
      normal.head<2>() = (plane.rotation().transpose() * normal.head<2>()).eval();
      result.push_back({at.x(), at.y(), normal, measurement.weights[p]});
    }
  }
  if (result.size() < 10)
    throw Error("A shape fit needs at least 10 normals that face the camera.");
  return result;
}

std::vector<ShapeTerm> unit_terms(const std::vector<ShapeGrid>& grids) {
  std::vector<ShapeTerm> terms;
  for (const ShapeGrid& grid : grids) {
    const double slack = 1e-9;  // so that rounding does not drop the last centre
    for (double x = 0.0; x <= grid.right + slack; x += grid.spacing) {
      for (double y = grid.top; y >= grid.bottom - slack; y -= grid.spacing) {
        terms.push_back({1.0, x, y, grid.sigma});
      }
    }
  }
  return terms;
}

// Slopes at one observation of every term with amplitude 1: terms x 2.
void slopes_at(const std::vector<ShapeTerm>& terms, const Observation& at, Matrix& slopes) {
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const HeightAndSlope s = evaluate(terms[k], at.x, at.y);
    slopes(static_cast<Index>(k), 0) = s.slope_x;
    slopes(static_cast<Index>(k), 1) = s.slope_y;
  }
}

// Of the weighted least squares on slopes, divided by the total weight.
struct ShapeEquations {
  Matrix gram;   // terms x terms
  Vector right;  // terms
};

ShapeEquations normal_equations(const std::vector<ShapeTerm>& terms,
                                const std::vector<Observation>& observations) {
  constexpr Index kAtOnce = 512;  // summed in order: the same bits for any number of threads
  const Index count = static_cast<Index>(observations.size());
  const Index unknowns = static_cast<Index>(terms.size());
  ShapeEquations equations{Matrix::Zero(unknowns, unknowns), Vector::Zero(unknowns)};
  Matrix design(unknowns, 2 * kAtOnce);
  Vector target(2 * kAtOnce);
  for (Index begin = 0; begin < count; begin += kAtOnce) {
    const Index used = std::min(kAtOnce, count - begin);
    parallel_blocks(used, 16, [&](Index first, Index last) {
      Matrix slopes(unknowns, 2);
      for (Index i = first; i < last; ++i) {
        const Observation& o = observations[static_cast<std::size_t>(begin + i)];
        const double z = o.normal.z();
        const double root_weight = std::sqrt(o.weight) * z * z;
        slopes_at(terms, o, slopes);
        design.middleCols(2 * i, 2) = root_weight * slopes;
        target.segment<2>(2 * i) = -root_weight / z * o.normal.head<2>();
      }
    });
    const auto block = design.leftCols(2 * used);
    equations.gram.selfadjointView<Eigen::Lower>().rankUpdate(block);
    equations.right.noalias() += block * target.head(2 * used);
  }
  double total = 0.0;
  for (const Observation& o : observations) total += o.weight * std::pow(o.normal.z(), 4);
  equations.gram = Matrix(equations.gram.selfadjointView<Eigen::Lower>()) / total;
  equations.right /= total;
  return equations;
}

// Orthogonal matching pursuit: adds the term that lowers the error most, then solves for all
// amplitudes anew.
std::vector<ShapeTerm> chosen_terms(const std::vector<ShapeTerm>& terms,
                                    const ShapeEquations& equations,
                                    const ShapeFitOptions& options) {
  const Index wanted = std::min(options.most_terms, static_cast<Index>(terms.size()));
  std::vector<Index> chosen;
  Vector amplitudes;
  Vector gains = equations.right;  // half the slope of the error with respect to each amplitude
  const Vector curvatures = equations.gram.diagonal().array() + options.ridge;
  while (static_cast<Index>(chosen.size()) < wanted) {
    Index best = 0;
    Vector scores = gains.cwiseAbs2().cwiseQuotient(curvatures);
    for (const Index k : chosen) scores[k] = -1.0;
    scores.maxCoeff(&best);
    chosen.push_back(best);
    Matrix gram = equations.gram(chosen, chosen);
    gram.diagonal().array() += options.ridge;
    amplitudes = gram.ldlt().solve(equations.right(chosen));
    gains = equations.right - equations.gram(Eigen::all, chosen) * amplitudes;
  }
  std::vector<ShapeTerm> result;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    result.push_back(terms[static_cast<std::size_t>(chosen[k])]);
    result.back().amplitude = amplitudes[static_cast<Index>(k)];
  }
  return result;
}

double mean_angle_between(const FaceShape& shape, const std::vector<Observation>& observations) {
  double sum = 0.0;
  double total = 0.0;
  for (const Observation& o : observations) {
    const HeightAndSlope s = shape.at(o.x, o.y);
    const Eigen::Vector3d fitted = Eigen::Vector3d(-s.slope_x, -s.slope_y, 1.0).normalized();
    sum += o.weight * std::acos(std::clamp(fitted.dot(o.normal), -1.0, 1.0));
    total += o.weight;
  }
  return sum / total * 180.0 / std::numbers::pi;
}

}  // namespace

void ShapeFitOptions::check() const {
  if (grids.empty()) throw Error("grids must name at least one grid of Gaussians.");
  for (const ShapeGrid& grid : grids) {
    const auto in_range = [](double value) { return value >= 0.02 && value <= 10.0; };
    if (!in_range(grid.sigma) || !in_range(grid.spacing)) {
      throw Error("sigma and spacing of a grid must be between 0.02 and 10.");
    }
    if (!(grid.right >= 0.0 && grid.right <= 10.0 && grid.bottom >= -10.0 && grid.top <= 10.0 &&
          grid.bottom <= grid.top)) {
      throw Error("right, bottom and top of a grid must span a rectangle within 10 units.");
    }
  }
  if (unit_terms(grids).size() > 4000) {
    throw Error("grids hold {} Gaussians; at most 4000 are allowed.", unit_terms(grids).size());
  }
  if (most_terms < 1) throw Error("most_terms must be at least 1, not {}.", most_terms);
  if (!(ridge > 0.0 && std::isfinite(ridge))) throw Error("ridge must be above 0, not {}.", ridge);
  if (!(least_z >= 0.01 && least_z <= 1.0)) {
    throw Error("least_z must be between 0.01 and 1, not {}.", least_z);
  }
}

ShapeFit fit_shape(std::span<const WeightedNormals> measurements, const ShapeFitOptions& options) {
  options.check();
  const std::vector<Observation> observations = observations_of(measurements, options.least_z);
  const std::vector<ShapeTerm> terms = unit_terms(options.grids);
  ShapeFit fit{FaceShape(chosen_terms(terms, normal_equations(terms, observations), options)), 0.0};
  fit.mean_angle = mean_angle_between(fit.shape, observations);
  return fit;
}

ShapeFit fit_shape(const NormalMap& map, const ShapeFitOptions& options) {
  const WeightedNormals all{map, Vector::Ones(map.size.pixels())};
  return fit_shape({&all, 1}, options);
}

std::string mean_face_source(const FaceShape& shape) {
  std::string text =
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// Written by `longshot normals --fit`, the most telling terms first; docs/method.md says "
      "from\n"
      "// what.\n"
      "#include \"longshot/relight/face_shape.h\"\n\n"
      "namespace longshot {\n\n"
      "const FaceShape& mean_face_shape() {\n"
      "  // clang-format off\n"
      "  static const FaceShape shape({\n";
  for (const ShapeTerm& t : shape.terms()) {
    text += fmt::format("      {{{:.4f}, {:.3f}, {:.3f}, {:.3f}}},\n", t.amplitude, t.x0, t.y0,
                        t.sigma);
  }
  text +=
      "  });\n"
      "  // clang-format on\n"
      "  return shape;\n"
      "}\n\n"
      "}  // namespace longshot\n";
  return text;
}

}  // namespace longshot
