// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/decompositions.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace longshot {

SymmetricEigen symmetric_eigen(const Matrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(symmetric);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

Vector symmetric_eigenvalues(const Matrix& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen symmetric_eigen(const Matrix& a, const Matrix& b) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> eigen(a, b);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

LeftSingular left_singular(const Matrix& matrix) {
  const Eigen::BDCSVD<Matrix> svd(matrix, Eigen::ComputeThinU);
  return {svd.singularValues(), svd.matrixU()};
}

}  // namespace longshot
