// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/kernel.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "longshot/core/error.h"

namespace longshot {
namespace {

constexpr Index kMedianColumns = 1500;

void check_samples(const MatrixRef& samples) {
  if (samples.size() == 0)
    throw Error("A kernel needs samples, but the matrix is {} x {}.", samples.rows(),
                samples.cols());
  if (!samples.allFinite()) throw Error("The samples of a kernel hold a NaN or infinity.");
}

double power(double base, int exponent) {
  double result = base;
  for (int i = 1; i < exponent; ++i) result *= base;
  return result;
}

}  // namespace

void Kernel::check() const {
  if (kind == KernelKind::kRbf && !(c > 0.0 && std::isfinite(c)))
    throw Error("Kernel.c must be positive for an RBF kernel, but it is {}.", c);
  if (kind == KernelKind::kPolynomial && !(c >= 0.0 && std::isfinite(c)))
    throw Error("Kernel.c must not be negative for a polynomial kernel, but it is {}.", c);
  if (kind == KernelKind::kPolynomial && (degree < 1 || degree > 10))
    throw Error("Kernel.degree must be between 1 and 10, but it is {}.", degree);
}

void apply_kernel(const Kernel& kernel, const VectorRef& x_squared_norms,
                  const VectorRef& y_squared_norms, Eigen::Ref<Matrix> inner_products) {
  assert(x_squared_norms.size() == inner_products.rows());
  assert(y_squared_norms.size() == inner_products.cols());
  switch (kernel.kind) {
    case KernelKind::kLinear:
      return;
    case KernelKind::kPolynomial:
      inner_products = inner_products.unaryExpr(
          [&](double value) { return power(value + kernel.c, kernel.degree); });
      return;
    case KernelKind::kRbf:
      // |x - y|^2 from products can come out below zero by rounding; a kernel above 1 must not.
      for (Index j = 0; j < inner_products.cols(); ++j) {
        auto column = inner_products.col(j).array();
        column = ((2.0 * column - x_squared_norms.array() - y_squared_norms[j]).min(0.0) *
                  (1.0 / kernel.c))
                     .exp();
      }
      return;
  }
}

Matrix kernel_gram(const Kernel& kernel, const MatrixRef& samples) {
  kernel.check();
  check_samples(samples);
  Matrix gram = samples.transpose() * samples;
  symmetrise(gram);
  const Vector squared_norms = gram.diagonal();
  apply_kernel(kernel, squared_norms, squared_norms, gram);
  // Vectorised and scalar functions may differ in the last bit, depending on the place.
  symmetrise(gram);
  return gram;
}

Matrix kernel_cross(const Kernel& kernel, const MatrixRef& x, const MatrixRef& y) {
  kernel.check();
  check_samples(x);
  check_samples(y);
  if (x.rows() != y.rows())
    throw Error("A kernel compares samples of one dimension, but these have {} and {}.", x.rows(),
                y.rows());
  Matrix cross = x.transpose() * y;
  const Vector x_squared_norms = x.colwise().squaredNorm();
  const Vector y_squared_norms = y.colwise().squaredNorm();
  apply_kernel(kernel, x_squared_norms, y_squared_norms, cross);
  return cross;
}

Vector kernel_diagonal(const Kernel& kernel, const MatrixRef& samples) {
  kernel.check();
  check_samples(samples);
  if (kernel.kind == KernelKind::kRbf) return Vector::Ones(samples.cols());
  Vector diagonal = samples.colwise().squaredNorm();
  if (kernel.kind == KernelKind::kPolynomial)
    for (double& value : diagonal) value = power(value + kernel.c, kernel.degree);
  return diagonal;
}

void symmetrise(Matrix& matrix) {
  assert(matrix.rows() == matrix.cols());
  for (Index j = 0; j < matrix.cols(); ++j)
    for (Index i = 0; i < j; ++i) matrix(i, j) = matrix(j, i) = 0.5 * (matrix(i, j) + matrix(j, i));
}

double median_squared_distance(const MatrixRef& samples, const std::vector<int>& groups) {
  check_samples(samples);
  if (static_cast<Index>(groups.size()) != samples.cols())
    throw Error("There are {} group numbers for {} samples.", groups.size(), samples.cols());
  const Index count = std::min(samples.cols(), kMedianColumns);
  std::vector<Index> columns(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i)
    columns[static_cast<std::size_t>(i)] = i * samples.cols() / count;
  const Matrix chosen = samples(Eigen::all, columns);
  const Matrix products = chosen.transpose() * chosen;
  std::vector<double> distances;
  for (Index j = 0; j < count; ++j) {
    for (Index i = 0; i < j; ++i) {
      const auto group = [&](Index at) {
        return groups[static_cast<std::size_t>(columns[static_cast<std::size_t>(at)])];
      };
      if (group(i) != group(j))
        distances.push_back(std::max(0.0, products(i, i) + products(j, j) - 2.0 * products(i, j)));
    }
  }
  if (distances.empty())
    throw Error("The median distance between people needs samples of at least two people.");
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  if (distances.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(distances.begin(), middle));
}

}  // namespace longshot
