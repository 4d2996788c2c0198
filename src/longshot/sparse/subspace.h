// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"

namespace longshot {

// What classification by residuals needs in matrices (docs/method.md, section 8).

// d x r, orthonormal columns spanning the dictionary, by QR with column pivoting; directions below
// 1e-6 of the largest are cut. Replaces the projector D (D' D)^-1 D' of Shekhar et al., eq. (5),
// which fails for dependent atoms. Throws Error if K >= d: every residual would be zero and the
// decision arbitrary.
Matrix orthonormal_basis(const MatrixRef& dictionary);  // d x K

// d x r, the `count` leading left singular vectors of the samples, fewer if their rank is lower
// (singular values below 1e-10 of the largest). The control for dictionaries of `count` atoms.
// The largest entry of each vector is positive. Throws Error if count >= d.
Matrix svd_basis(const MatrixRef& samples,  // d x m
                 Index count);

// n: squared distance of each signal from the span of the basis, eq. (7). Where |y|^2 - |Q' y|^2
// cancels to below 1e-6 |y|^2 it is taken from the difference vector instead.
Vector squared_residuals(const MatrixRef& basis,     // d x r, orthonormal
                         const MatrixRef& signals);  // d x n

// The same for callers that go through many people and know the norms already.
Vector squared_residuals(const MatrixRef& basis,           // d x r, orthonormal
                         const MatrixRef& signals,         // d x n
                         const VectorRef& squared_norms);  // n, of the signals

// W (K x m) such that the atoms W' are orthonormal in feature space: W = L^-1 A' with
// L L' = A' Kx A, whose diagonal is raised by 1e-10 of its mean. With k_z the kernel of a probe
// with the samples, |W k_z|^2 is the energy of the probe inside the dictionary's span.
Matrix kernel_projection(const MatrixRef& coefficients,  // A, m x K
                         const MatrixRef& gram);         // Kx, m x m

// n: squared residuals when all atoms take part (T = K): k(z,z) - |W k_z|^2, not below 0.
Vector kernel_squared_residuals(const MatrixRef& projection,      // W, K x m
                                const MatrixRef& cross,           // m x n, samples with probes
                                const VectorRef& squared_norms);  // n, k(z,z)

// n: squared residuals of KOMP with at most `sparsity` atoms, Shekhar et al., eq. (12). The kernel
// matrix of the atoms does not depend on the probes and is given.
Vector komp_squared_residuals(const MatrixRef& coefficients,   // A, m x K
                              const MatrixRef& atoms,          // A' Kx A, K x K
                              const MatrixRef& cross,          // m x n, samples with probes
                              const VectorRef& squared_norms,  // n, k(z,z)
                              Index sparsity);                 // T, >= 1

}  // namespace longshot
