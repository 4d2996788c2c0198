// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/subspace.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "longshot/core/decompositions.h"
#include "longshot/core/error.h"
#include "longshot/sparse/omp.h"

namespace longshot {
namespace {

constexpr double kRankCut = 1e-6;
constexpr double kSingularValueCut = 1e-10;
constexpr double kCancellation = 1e-6;
constexpr double kJitter = 1e-10;
constexpr int kJitterAttempts = 8;

void check_matrix(const MatrixRef& matrix, const char* name) {
  if (matrix.size() == 0)
    throw Error("{} must not be empty, but it is {} x {}.", name, matrix.rows(), matrix.cols());
  if (!matrix.allFinite()) throw Error("{} holds a NaN or infinity.", name);
}

void check_room(Index atoms, Index dimension) {
  if (atoms >= dimension)
    throw Error(
        "{} atoms fill a feature space of dimension {}, so that every face would fit everybody; "
        "use fewer atoms (half the dimension at most) or more feature dimensions.",
        atoms, dimension);
}

void check_kernel_shapes(const MatrixRef& coefficients, const MatrixRef& gram) {
  check_matrix(coefficients, "The kernel dictionary");
  check_matrix(gram, "The kernel matrix of the samples");
  if (gram.rows() != coefficients.rows() || gram.cols() != coefficients.rows())
    throw Error("A kernel dictionary over {} samples does not go with a {} x {} kernel matrix.",
                coefficients.rows(), gram.rows(), gram.cols());
}

void check_cross(Index samples, const MatrixRef& cross, const VectorRef& squared_norms) {
  if (cross.rows() != samples || cross.cols() != squared_norms.size())
    throw Error("Kernel values of {} samples and {} probes are needed, but the matrix is {} x {}.",
                samples, squared_norms.size(), cross.rows(), cross.cols());
}

}  // namespace

Matrix orthonormal_basis(const MatrixRef& dictionary) {
  check_matrix(dictionary, "The dictionary");
  check_room(dictionary.cols(), dictionary.rows());
  const Eigen::ColPivHouseholderQR<Matrix> qr(dictionary);
  const Vector pivots = qr.matrixQR().diagonal().cwiseAbs();
  if (!(pivots[0] > 0.0)) throw Error("All atoms of the dictionary are zero.");
  const Index rank = (pivots.array() > kRankCut * pivots[0]).count();
  Matrix basis = Matrix::Identity(dictionary.rows(), rank);
  basis.applyOnTheLeft(qr.householderQ());
  return basis;
}

Matrix svd_basis(const MatrixRef& samples, Index count) {
  check_matrix(samples, "The sample matrix");
  if (count < 1) throw Error("A subspace needs at least one dimension, not {}.", count);
  check_room(count, samples.rows());
  const LeftSingular svd = left_singular(samples);
  const Vector& values = svd.values;
  if (!(values[0] > 0.0)) throw Error("All samples of a subspace are zero.");
  const Index rank = (values.array() > kSingularValueCut * values[0]).count();
  Matrix basis = svd.vectors.leftCols(std::min(count, rank));
  for (Index k = 0; k < basis.cols(); ++k) {
    Index largest = 0;
    basis.col(k).cwiseAbs().maxCoeff(&largest);
    if (basis(largest, k) < 0.0) basis.col(k) *= -1.0;
  }
  return basis;
}

Vector squared_residuals(const MatrixRef& basis, const MatrixRef& signals) {
  return squared_residuals(basis, signals, signals.colwise().squaredNorm().transpose());
}

Vector squared_residuals(const MatrixRef& basis, const MatrixRef& signals,
                         const VectorRef& squared_norms) {
  if (basis.rows() != signals.rows())
    throw Error("The subspace has dimension {}, but the signals have {}.", basis.rows(),
                signals.rows());
  if (squared_norms.size() != signals.cols())
    throw Error("There are {} squared norms for {} signals.", squared_norms.size(), signals.cols());
  const Matrix projections = basis.transpose() * signals;
  Vector residuals = squared_norms - projections.colwise().squaredNorm().transpose();
  for (Index j = 0; j < residuals.size(); ++j)
    if (residuals[j] < kCancellation * squared_norms[j])
      residuals[j] = (signals.col(j) - basis * projections.col(j)).squaredNorm();
  return residuals;
}

Matrix kernel_projection(const MatrixRef& coefficients, const MatrixRef& gram) {
  check_kernel_shapes(coefficients, gram);
  const Matrix atoms = coefficients.transpose() * gram * coefficients;
  double jitter = kJitter * atoms.diagonal().mean();
  for (int attempt = 0; attempt < kJitterAttempts; ++attempt, jitter *= 10.0) {
    Matrix raised = atoms;
    raised.diagonal().array() += jitter;
    const Eigen::LLT<Matrix> factor(raised);
    if (factor.info() == Eigen::Success && jitter > 0.0)
      return factor.matrixL().solve(coefficients.transpose());
  }
  throw Error("The kernel matrix of the atoms is not positive definite; check the kernel.");
}

Vector kernel_squared_residuals(const MatrixRef& projection, const MatrixRef& cross,
                                const VectorRef& squared_norms) {
  check_cross(projection.cols(), cross, squared_norms);
  const Matrix inside = projection * cross;
  return (squared_norms - inside.colwise().squaredNorm().transpose()).cwiseMax(0.0);
}

Vector komp_squared_residuals(const MatrixRef& coefficients, const MatrixRef& atoms,
                              const MatrixRef& cross, const VectorRef& squared_norms,
                              Index sparsity) {
  check_matrix(coefficients, "The kernel dictionary");
  if (atoms.rows() != coefficients.cols() || atoms.cols() != coefficients.cols())
    throw Error("A kernel dictionary of {} atoms does not go with a {} x {} matrix of them.",
                coefficients.cols(), atoms.rows(), atoms.cols());
  check_cross(coefficients.rows(), cross, squared_norms);
  const Matrix correlations = coefficients.transpose() * cross;
  return omp_squared_residuals(atoms, correlations, squared_norms, {sparsity, 0.0});
}

}  // namespace longshot
