// SPDX-License-Identifier: Apache-2.0
#include "longshot/search/subspace_block.h"

#include <cassert>

#include "longshot/sparse/subspace.h"

namespace longshot {

SubspaceBlock::Shape SubspaceBlock::pack(const SubspaceRows& person, float* values) const {
  assert(person.basis.rows == dimensions_ && person.mean.size() == dimensions_);
  const Index rank = person.basis.cols;
  if (person.mean.map().isZero(0.0F)) {
    pack_panels(person.basis.map(), values);
    return {rank, false};
  }
  const Matrix basis = person.basis.map().cast<double>();
  const Vector mean = person.mean.map().col(0).cast<double>();
  Matrix rows(dimensions_ + 1, rank + 1);
  rows.topLeftCorner(dimensions_, rank) = basis;
  rows.bottomLeftCorner(1, rank) = -mean.transpose() * basis;
  rows.col(rank) << -2.0 * mean, mean.squaredNorm();
  pack_panels(rows.leftCols(rank), values);
  pack_panels(rows.rightCols(1), values + rank * rows.rows());
  return {rank, true};
}

void SubspaceBlock::replace(Index first, Index last, std::span<const SubspaceRows> others) {
  const auto other = [&](Index i) -> const SubspaceRows& {
    return others[static_cast<std::size_t>(i)];
  };
  rows_.replace(
      first, last, static_cast<Index>(others.size()),
      [&](Index i) {
        const Index rank = other(i).basis.cols;
        return other(i).mean.map().isZero(0.0F) ? rank * dimensions_
                                                : (rank + 1) * (dimensions_ + 1);
      },
      [&](Index i, float* values) { return pack(other(i), values); });
}

Panels SubspaceBlock::basis_of(Index person) const {
  const Shape& shape = rows_.shape(person);
  return {rows_.of(person), shape.rank, shape.affine ? dimensions_ + 1 : dimensions_};
}

Panels SubspaceBlock::mean_of(Index person) const {
  const Panels basis = basis_of(person);
  return {basis.values + basis.rows * basis.depth, 1, basis.depth};
}

void SubspaceBlock::score_tile(Index first, Index last, const ProbeTiles& probes, Index tile,
                               float* out) const {
  const TileKernels& kernels = tile_kernels();
  const float* columns = probes.tile(tile);
  const float* energies = probes.squared_norms() + tile * kTileProbes;
  float inverse[kTileProbes];
  for (Index j = 0; j < kTileProbes; ++j) inverse[j] = 1.0F / energies[j];
  float linear[kTileProbes];
  for (Index person = first; person < last; ++person, out += kTileProbes) {
    kernels.sums_of_squares(basis_of(person), columns, out);
    if (rows_.shape(person).affine) {
      kernels.products(mean_of(person), columns, linear);
      for (Index j = 0; j < kTileProbes; ++j) out[j] -= linear[j];
    }
    for (Index j = 0; j < kTileProbes; ++j) out[j] = 1.0F - out[j] * inverse[j];
  }
}

void SubspaceBlock::score_probe(Index first, Index last, const ProbeTiles& probes, Index probe,
                                float* out) const {
  const TileKernels& kernels = tile_kernels();
  const float* spread = probes.spread(probe);
  const float inverse = 1.0F / probes.squared_norms()[probe];
  std::vector<float> codes;
  for (Index person = first; person < last; ++person) {
    const Panels basis = basis_of(person);
    codes.resize(static_cast<std::size_t>(basis.rows));
    kernels.row_products(basis, spread, codes.data());
    float inside = 0.0F;
    for (const float code : codes) inside += code * code;
    if (rows_.shape(person).affine) {
      float linear = 0.0F;
      kernels.row_products(mean_of(person), spread, &linear);
      inside -= linear;
    }
    *out++ = 1.0F - inside * inverse;
  }
}

Vector SubspaceBlock::distances(Index person, const MatrixRef& features) const {
  const Matrix basis = unpack_panels(basis_of(person)).topRows(dimensions_);
  Matrix away = features;
  if (rows_.shape(person).affine) {
    // Halving and doubling are exact.
    away.colwise() += 0.5 * unpack_panels(mean_of(person)).col(0).head(dimensions_);
  }
  return squared_residuals(basis, away).cwiseQuotient(features.colwise().squaredNorm().transpose());
}

}  // namespace longshot
