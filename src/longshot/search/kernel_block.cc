// SPDX-License-Identifier: Apache-2.0
#include "longshot/search/kernel_block.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <Eigen/Householder>

namespace longshot {

KernelPerson make_kernel_person(const MatrixRef& samples, const MatrixRef& projection) {
  KernelPerson person;
  person.samples = samples;
  person.projection = projection.transpose();
  const Vector sums = projection.rowwise().sum();
  const Index atoms = sums.size();
  Vector reflection(atoms - 1);
  double tau = 0.0;
  double length = 0.0;
  sums.makeHouseholder(reflection, tau, length);
  Vector workspace(projection.cols());
  person.projection.applyHouseholderOnTheRight(reflection, tau, workspace.data());
  person.sum = length;
  person.rest = 1.0 - length * length;
  return person;
}

KernelBlock::Shape KernelBlock::pack(const KernelRows& person, float* values) const {
  assert(person.samples.rows == dimensions_ && person.projection.rows == person.samples.cols);
  const Index samples = person.samples.cols;
  MatrixF rows(dimensions_ + 2, samples);
  rows.topRows(dimensions_) = person.samples.map();
  rows.row(dimensions_) =
      (-0.5 * person.samples.map().cast<double>().colwise().squaredNorm()).cast<float>();
  rows.row(dimensions_ + 1).setOnes();
  pack_panels(rows, values);
  pack_panels(person.projection.map(), values + rows.size());
  return {samples, person.projection.cols, static_cast<double>(person.sum),
          static_cast<double>(person.rest)};
}

void KernelBlock::replace(Index first, Index last, std::span<const KernelRows> others) {
  const auto other = [&](Index i) -> const KernelRows& {
    return others[static_cast<std::size_t>(i)];
  };
  rows_.replace(
      first, last, static_cast<Index>(others.size()),
      [&](Index i) { return other(i).samples.cols * (dimensions_ + 2 + other(i).projection.cols); },
      [&](Index i, float* values) { return pack(other(i), values); });
  for (const KernelRows& person : others) {
    most_samples_ = std::max(most_samples_, person.samples.cols);
    most_atoms_ = std::max(most_atoms_, person.projection.cols);
  }
}

Panels KernelBlock::samples_of(Index person) const {
  return {rows_.of(person), rows_.shape(person).samples, dimensions_ + 2};
}

Panels KernelBlock::projection_of(Index person) const {
  const Shape& shape = rows_.shape(person);
  return {rows_.of(person) + shape.samples * (dimensions_ + 2), shape.atoms, shape.samples};
}

void KernelBlock::score_tile(Index first, Index last, const ProbeTiles& probes, Index tile,
                             float* out) const {
  const TileKernels& kernels = tile_kernels();
  const float* columns = probes.tile(tile);
  const auto scale = static_cast<float>(2.0 / c_);
  std::vector<float> values(static_cast<std::size_t>(most_samples_ * kTileProbes));
  std::vector<float> codes(static_cast<std::size_t>(most_atoms_ * kTileProbes));
  for (Index person = first; person < last; ++person, out += kTileProbes) {
    const Shape& shape = rows_.shape(person);
    kernels.products(samples_of(person), columns, values.data());
    kernels.exponentials_minus_one(values.data(), shape.samples * kTileProbes, scale);
    kernels.products(projection_of(person), values.data(), codes.data());
    const auto twice = static_cast<float>(2.0 * shape.sum);
    const auto rest = static_cast<float>(shape.rest);
    for (Index j = 0; j < kTileProbes; ++j)
      out[j] = rest - twice * codes[static_cast<std::size_t>(j)];
    for (Index k = 0; k < shape.atoms; ++k) {
      const float* code = &codes[static_cast<std::size_t>(k * kTileProbes)];
      for (Index j = 0; j < kTileProbes; ++j) out[j] -= code[j] * code[j];
    }
  }
}

void KernelBlock::score_probe(Index first, Index last, const ProbeTiles& probes, Index probe,
                              float* out) const {
  const TileKernels& kernels = tile_kernels();
  const auto scale = static_cast<float>(2.0 / c_);
  std::vector<float> values(static_cast<std::size_t>(most_samples_));
  std::vector<float> spread(static_cast<std::size_t>(most_samples_ * kPanelRows));
  std::vector<float> codes(static_cast<std::size_t>(most_atoms_));
  for (Index person = first; person < last; ++person) {
    const Shape& shape = rows_.shape(person);
    kernels.row_products(samples_of(person), probes.spread(probe), values.data());
    kernels.exponentials_minus_one(values.data(), shape.samples, scale);
    for (Index i = 0; i < shape.samples; ++i) {
      std::fill_n(&spread[static_cast<std::size_t>(i * kPanelRows)], kPanelRows,
                  values[static_cast<std::size_t>(i)]);
    }
    kernels.row_products(projection_of(person), spread.data(), codes.data());
    float residual =
        static_cast<float>(shape.rest) - static_cast<float>(2.0 * shape.sum) * codes[0];
    for (Index k = 0; k < shape.atoms; ++k) {
      residual -= codes[static_cast<std::size_t>(k)] * codes[static_cast<std::size_t>(k)];
    }
    *out++ = residual;
  }
}

Vector KernelBlock::distances(Index person, const MatrixRef& features) const {
  const Shape& shape = rows_.shape(person);
  const Matrix samples = unpack_panels(samples_of(person)).topRows(dimensions_);
  Matrix values(shape.samples, features.cols());
  for (Index j = 0; j < features.cols(); ++j) {
    values.col(j) = (samples.colwise() - features.col(j)).colwise().squaredNorm().transpose();
  }
  values = (-1.0 / c_ * values).array().unaryExpr([](double x) { return std::expm1(x); });
  const Matrix codes = unpack_panels(projection_of(person)).transpose() * values;  // K x n
  return (shape.rest - 2.0 * shape.sum * codes.row(0).array() -
          codes.colwise().squaredNorm().array())
      .max(0.0)
      .matrix()
      .transpose();
}

}  // namespace longshot
