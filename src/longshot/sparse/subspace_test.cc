// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/subspace.h"

#include <limits>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/sparse/kernel.h"
#include "longshot/sparse/kernel_dictionary.h"
#include "longshot/sparse/omp.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

using small_problems::gaussian;
using small_problems::person;
using small_problems::unit_dictionary;

TEST(Subspace, QrResidualEqualsTheExplicitProjector) {
  const Matrix dictionary = unit_dictionary(20, 6, 1);
  const Matrix signals = gaussian(20, 30, 2);
  const Matrix basis = orthonormal_basis(dictionary);
  EXPECT_LT((basis.transpose() * basis - Matrix::Identity(6, 6)).norm(), 1e-13);
  const Matrix projector =
      dictionary * (dictionary.transpose() * dictionary).inverse() * dictionary.transpose();
  const Vector expected = (signals - projector * signals).colwise().squaredNorm();
  EXPECT_LT((squared_residuals(basis, signals) - expected).norm(), 1e-10);
  const Vector norms = signals.colwise().squaredNorm();
  EXPECT_EQ(squared_residuals(basis, signals, norms), squared_residuals(basis, signals));
}

TEST(Subspace, AnotherAtomNeverIncreasesTheResidual) {
  const Matrix dictionary = unit_dictionary(20, 15, 3);
  const Matrix signals = gaussian(20, 30, 4);
  Vector before = signals.colwise().squaredNorm();
  for (Index atoms = 1; atoms <= 15; ++atoms) {
    const Vector now = squared_residuals(orthonormal_basis(dictionary.leftCols(atoms)), signals);
    EXPECT_LE((now - before).maxCoeff(), 1e-12);
    before = now;
  }
}

TEST(Subspace, DependentAtomsAreCut) {
  Matrix dictionary = unit_dictionary(20, 6, 5);
  dictionary.col(3) = dictionary.col(0) - 2.0 * dictionary.col(1);
  dictionary.col(5) = dictionary.col(4) + 1e-9 * gaussian(20, 1, 6);
  EXPECT_EQ(orthonormal_basis(dictionary).cols(), 4);
}

TEST(Subspace, SmallResidualsSurviveCancellation) {
  const Matrix dictionary = unit_dictionary(20, 5, 7);
  const Matrix basis = orthonormal_basis(dictionary);
  Vector off = gaussian(20, 1, 8);
  off -= basis * (basis.transpose() * off);
  off.normalize();
  const Vector signal = 1e3 * dictionary.col(0) + 1e-6 * off;
  EXPECT_NEAR(squared_residuals(basis, signal)[0], 1e-12, 1e-15);
}

TEST(Subspace, ZeroResidualTrapIsAnError) {
  EXPECT_THROW(orthonormal_basis(unit_dictionary(6, 6, 9)), Error);
  EXPECT_THROW(orthonormal_basis(unit_dictionary(6, 9, 9)), Error);
  EXPECT_NO_THROW(orthonormal_basis(unit_dictionary(6, 5, 9)));
  EXPECT_THROW(svd_basis(gaussian(6, 10, 9), 6), Error);
  EXPECT_NO_THROW(svd_basis(gaussian(6, 10, 9), 5));
}

TEST(Subspace, SvdBasisIsTheBestOfItsSize) {
  const Matrix samples = person(10, 30, 18);
  const Matrix basis = svd_basis(samples, 6);
  EXPECT_EQ(basis.cols(), 6);
  EXPECT_LT((basis.transpose() * basis - Matrix::Identity(6, 6)).norm(), 1e-12);
  const double error = squared_residuals(basis, samples).sum();
  EXPECT_LT(error, squared_residuals(orthonormal_basis(samples.leftCols(6)), samples).sum());
  const Matrix nudged = orthonormal_basis(basis + 1e-2 * gaussian(30, 6, 11));
  EXPECT_LT(error, squared_residuals(nudged, samples).sum());
  for (Index k = 0; k < 6; ++k)
    EXPECT_EQ(basis.col(k).maxCoeff(), basis.col(k).cwiseAbs().maxCoeff());
  EXPECT_EQ(svd_basis(samples.leftCols(2).replicate(1, 4), 6).cols(), 2);
}

struct KernelCase {
  Matrix gram;
  Matrix coefficients;
  Matrix cross;
  Vector norms;
};

KernelCase kernel_case(const Kernel& kernel) {
  const Matrix samples = person(12);
  const Matrix probes = person(13, 41, 15);
  KernelDictionaryOptions options;
  options.atoms = 8;
  options.sparsity = 3;
  KernelCase result;
  result.gram = kernel_gram(kernel, samples);
  result.coefficients = learn_kernel_dictionary(result.gram, options).coefficients;
  result.cross = kernel_cross(kernel, samples, probes);
  result.norms = kernel_diagonal(kernel, probes);
  return result;
}

TEST(Subspace, KernelProjectorIsKompWithAllAtoms) {
  for (const Kernel& kernel : {Kernel{KernelKind::kRbf, 2.0}, Kernel{KernelKind::kLinear}}) {
    const KernelCase c = kernel_case(kernel);
    const Vector all =
        kernel_squared_residuals(kernel_projection(c.coefficients, c.gram), c.cross, c.norms);
    const Matrix atoms = c.coefficients.transpose() * c.gram * c.coefficients;
    const Vector komp = komp_squared_residuals(c.coefficients, atoms, c.cross, c.norms, 8);
    EXPECT_LT((all - komp).cwiseAbs().maxCoeff(), 1e-8);
    Vector before = c.norms;
    for (Index sparsity = 1; sparsity <= 8; ++sparsity) {
      const Vector now = komp_squared_residuals(c.coefficients, atoms, c.cross, c.norms, sparsity);
      EXPECT_LE((now - before).maxCoeff(), 1e-12);
      before = now;
    }
  }
}

TEST(Subspace, LinearKompIsOmp) {
  const Matrix samples = person(12);
  const Matrix probes = person(13, 41, 15);
  const KernelCase c = kernel_case({KernelKind::kLinear});
  const Matrix dictionary = samples * c.coefficients;
  const Vector norms = probes.colwise().squaredNorm();
  for (const Index sparsity : {1, 3, 6}) {
    const OmpBatch expected = omp_batch(dictionary.transpose() * dictionary,
                                        dictionary.transpose() * probes, norms, {sparsity});
    const Matrix atoms = c.coefficients.transpose() * c.gram * c.coefficients;
    const OmpBatch kernel =
        omp_batch(atoms, c.coefficients.transpose() * c.cross, norms, {sparsity});
    EXPECT_EQ(kernel.supports, expected.supports);
    EXPECT_LT((kernel.codes - expected.codes).norm(), 1e-9);
    EXPECT_LT((komp_squared_residuals(c.coefficients, atoms, c.cross, c.norms, sparsity) -
               expected.squared_residuals)
                  .norm(),
              1e-10);
  }
  const Vector projected =
      kernel_squared_residuals(kernel_projection(c.coefficients, c.gram), c.cross, c.norms);
  EXPECT_LT((projected - squared_residuals(orthonormal_basis(dictionary), probes)).norm(), 1e-7);
}

TEST(Subspace, DependentKernelAtomsAreHeldByJitter) {
  KernelCase c = kernel_case({KernelKind::kRbf, 2.0});
  const Vector before =
      kernel_squared_residuals(kernel_projection(c.coefficients, c.gram), c.cross, c.norms);
  Matrix doubled(20, 16);
  doubled << c.coefficients, c.coefficients;
  const Vector after =
      kernel_squared_residuals(kernel_projection(doubled, c.gram), c.cross, c.norms);
  EXPECT_LT((before - after).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Subspace, BadInputIsAnError) {
  const Matrix basis = orthonormal_basis(unit_dictionary(10, 3, 14));
  EXPECT_THROW(orthonormal_basis(Matrix()), Error);
  EXPECT_THROW(orthonormal_basis(Matrix::Zero(5, 2)), Error);
  EXPECT_THROW(svd_basis(Matrix::Zero(5, 4), 2), Error);
  EXPECT_THROW(svd_basis(gaussian(5, 4, 1), 0), Error);
  EXPECT_THROW(squared_residuals(basis, gaussian(9, 2, 1)), Error);
  EXPECT_THROW(squared_residuals(basis, gaussian(10, 2, 1), Vector::Ones(3)), Error);
  EXPECT_THROW(kernel_projection(gaussian(5, 2, 1), Matrix::Identity(4, 4)), Error);
  EXPECT_THROW(kernel_projection(gaussian(5, 2, 1), Matrix::Zero(5, 5)), Error);
  EXPECT_THROW(kernel_squared_residuals(gaussian(2, 5, 1), gaussian(4, 3, 1), Vector::Ones(3)),
               Error);
  Matrix nan = gaussian(10, 3, 1);
  nan(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(orthonormal_basis(nan), Error);
}

}  // namespace
}  // namespace longshot
