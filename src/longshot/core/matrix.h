// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace longshot {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;  // column-major: one signal or image per column
using Vector = Eigen::VectorXd;
using MatrixF = Eigen::MatrixXf;  // single precision, for search indexes
using VectorF = Eigen::VectorXf;
using MatrixRef = Eigen::Ref<const Matrix>;
using VectorRef = Eigen::Ref<const Vector>;

}  // namespace longshot
