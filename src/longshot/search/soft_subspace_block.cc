// SPDX-License-Identifier: Apache-2.0
#include "longshot/search/soft_subspace_block.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace longshot {
namespace {

double product(const float* a, const float* b, Index count) {
  return Eigen::Map<const VectorF>(a, count).cast<double>().dot(
      Eigen::Map<const VectorF>(b, count).cast<double>());
}

}  // namespace

SoftSubspaceBlock::Shape SoftSubspaceBlock::pack(const SoftSubspaceRows& person,
                                                 float* values) const {
  const Index rank = person.basis.cols;
  assert(person.mean.size() == dimensions_ && person.basis.rows == dimensions_ &&
         person.shrinkage.size() == rank && person.samples.rows == rank + 2);
  const float* rows[kPanelRows];
  for (Index row = 0; row <= rank; row += kPanelRows) {
    const Index height = std::min(kPanelRows, rank + 1 - row);
    for (Index h = 0; h < height; ++h) {
      const bool is_mean = row + h == rank;
      rows[h] = is_mean ? person.mean.values : person.basis.values + (row + h) * dimensions_;
    }
    values = pack_panel(rows, height, dimensions_, values);
    for (Index h = 0; h < height; ++h) {
      *values++ = static_cast<float>(-product(person.mean.values, rows[h], dimensions_));
    }
  }
  values = std::copy_n(person.shrinkage.values, rank, values);
  for (Index row = 0; row < person.samples.cols; row += kPanelRows) {
    const Index height = std::min(kPanelRows, person.samples.cols - row);
    for (Index h = 0; h < height; ++h) {
      rows[h] = person.samples.values + (row + h) * person.samples.rows;
    }
    values = pack_panel(rows, height, person.samples.rows, values);
  }
  const double mean_energy = product(person.mean.values, person.mean.values, dimensions_);
  return {rank, person.samples.cols, person.offset, static_cast<float>(mean_energy)};
}

void SoftSubspaceBlock::replace(Index first, Index last, std::span<const SoftSubspaceRows> others) {
  const auto other = [&](Index i) -> const SoftSubspaceRows& {
    return others[static_cast<std::size_t>(i)];
  };
  rows_.replace(
      first, last, static_cast<Index>(others.size()),
      [&](Index i) {
        const Index rank = other(i).basis.cols;
        return (rank + 1) * (dimensions_ + 1) + rank + other(i).samples.size();
      },
      [&](Index i, float* values) { return pack(other(i), values); });
  for (const SoftSubspaceRows& person : others) {
    most_rank_ = std::max(most_rank_, person.basis.cols);
    most_samples_ = std::max(most_samples_, person.samples.cols);
  }
}

Panels SoftSubspaceBlock::directions_of(Index person) const {
  return {rows_.of(person), rows_.shape(person).rank + 1, dimensions_ + 1};
}

const float* SoftSubspaceBlock::shrinkage_of(Index person) const {
  const Panels directions = directions_of(person);
  return directions.values + directions.rows * directions.depth;
}

Panels SoftSubspaceBlock::samples_of(Index person) const {
  const Shape& shape = rows_.shape(person);
  return {shrinkage_of(person) + shape.rank, shape.samples, shape.rank + 2};
}

void SoftSubspaceBlock::score_tile(Index first, Index last, const ProbeTiles& probes, Index tile,
                                   float* out) const {
  const TileKernels& kernels = tile_kernels();
  const float* energies = probes.squared_norms() + tile * kTileProbes;
  const auto weight = static_cast<float>(weight_);
  float inverse[kTileProbes];
  for (Index j = 0; j < kTileProbes; ++j) inverse[j] = 1.0F / std::sqrt(energies[j]);
  // U'(y - m), m'(y - m) and 1.
  std::vector<float> codes(static_cast<std::size_t>((most_rank_ + 2) * kTileProbes));
  std::vector<float> cosines(static_cast<std::size_t>(most_samples_ * kTileProbes));
  for (Index person = first; person < last; ++person, out += kTileProbes) {
    const Shape& shape = rows_.shape(person);
    kernels.products(directions_of(person), probes.tile(tile), codes.data());
    float* along = &codes[static_cast<std::size_t>(shape.rank * kTileProbes)];
    for (Index j = 0; j < kTileProbes; ++j) {
      out[j] = energies[j] - 2.0F * along[j] - shape.mean_energy;
    }
    const float* shrinkage = shrinkage_of(person);
    for (Index k = 0; k < shape.rank; ++k) {
      const float* code = &codes[static_cast<std::size_t>(k * kTileProbes)];
      for (Index j = 0; j < kTileProbes; ++j) out[j] -= shrinkage[k] * code[j] * code[j];
    }
    for (Index j = 0; j < kTileProbes; ++j) out[j] += shape.offset;
    if (weight == 0.0F) continue;
    std::fill_n(along + kTileProbes, kTileProbes, 1.0F);
    kernels.products(samples_of(person), codes.data(), cosines.data());
    for (Index i = 1; i < shape.samples; ++i) {
      const float* cosine = &cosines[static_cast<std::size_t>(i * kTileProbes)];
      for (Index j = 0; j < kTileProbes; ++j) {
        float& largest = cosines[static_cast<std::size_t>(j)];
        largest = largest < cosine[j] ? cosine[j] : largest;
      }
    }
    for (Index j = 0; j < kTileProbes; ++j) {
      out[j] += weight * (1.0F - cosines[static_cast<std::size_t>(j)] * inverse[j]);
    }
  }
}

void SoftSubspaceBlock::score_probe(Index first, Index last, const ProbeTiles& probes, Index probe,
                                    float* out) const {
  const TileKernels& kernels = tile_kernels();
  const float energy = probes.squared_norms()[probe];
  const float inverse = 1.0F / std::sqrt(energy);
  const auto weight = static_cast<float>(weight_);
  std::vector<float> codes(static_cast<std::size_t>(most_rank_ + 2));
  std::vector<float> spread(static_cast<std::size_t>((most_rank_ + 2) * kPanelRows));
  std::vector<float> cosines(static_cast<std::size_t>(most_samples_));
  for (Index person = first; person < last; ++person) {
    const Shape& shape = rows_.shape(person);
    const auto rank = static_cast<std::size_t>(shape.rank);
    kernels.row_products(directions_of(person), probes.spread(probe), codes.data());
    codes[rank + 1] = 1.0F;
    float distance = energy - 2.0F * codes[rank] - shape.mean_energy;
    const float* shrinkage = shrinkage_of(person);
    for (std::size_t k = 0; k < rank; ++k) distance -= shrinkage[k] * codes[k] * codes[k];
    distance += shape.offset;
    if (weight > 0.0F) {
      for (std::size_t k = 0; k < rank + 2; ++k) {
        std::fill_n(&spread[k * kPanelRows], kPanelRows, codes[k]);
      }
      kernels.row_products(samples_of(person), spread.data(), cosines.data());
      const float cosine = *std::max_element(cosines.begin(), cosines.begin() + shape.samples);
      distance += weight * (1.0F - cosine * inverse);
    }
    *out++ = distance;
  }
}

Vector SoftSubspaceBlock::distances(Index person, const MatrixRef& features) const {
  const Shape& shape = rows_.shape(person);
  const Matrix directions = unpack_panels(directions_of(person)).topRows(dimensions_);
  const Matrix away = features.colwise() - directions.col(shape.rank);
  Matrix codes(shape.rank + 2, features.cols());
  codes.topRows(shape.rank + 1).noalias() = directions.transpose() * away;
  codes.bottomRows(1).setOnes();
  const Vector shrinkage =
      Eigen::Map<const VectorF>(shrinkage_of(person), shape.rank).cast<double>();
  const Vector inside = codes.topRows(shape.rank).cwiseAbs2().transpose() * shrinkage;
  Vector result = (away.colwise().squaredNorm().transpose() - inside).cwiseMax(0.0).array() +
                  static_cast<double>(shape.offset);
  if (weight_ == 0.0) return result;
  const Matrix dots = unpack_panels(samples_of(person)).transpose() * codes;  // samples x n
  const Vector cosines =
      dots.colwise().maxCoeff().transpose().cwiseQuotient(features.colwise().norm().transpose());
  return result.array() + weight_ * (1.0 - cosines.cwiseMin(1.0).array());
}

}  // namespace longshot
