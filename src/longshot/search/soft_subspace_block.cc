// SPDX-License-Identifier: Apache-2.0
#include "longshot/search/soft_subspace_block.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace longshot {
namespace {

double product(const float* a, const float* b, Index count) {
  return Eigen::Map<const VectorF>(a, count).cast<double>().dot(
      Eigen::Map<const VectorF>(b, count).cast<double>());
}

// Rounding of the bound and of the distance, in units of their parts: far above what is seen.
constexpr float kRounding = 1e-4F;
// m - U U'm must not be a difference of nearly equal numbers.
constexpr float kLeastOutside = 0.01F;

}  // namespace

SoftSubspaceBlock::Shape SoftSubspaceBlock::pack(const SoftSubspaceRows& person,
                                                 float* values) const {
  const Index rank = person.basis.cols;
  assert(person.mean.size() == dimensions_ && person.basis.rows == dimensions_ &&
         person.shrinkage.size() == rank && person.samples.rows == rank + 2);
  const float* rows[kPanelRows];
  VectorF inside(rank + 1);  // -U'm and -m'm
  for (Index row = 0; row <= rank; row += kPanelRows) {
    const Index height = std::min(kPanelRows, rank + 1 - row);
    for (Index h = 0; h < height; ++h) {
      const bool is_mean = row + h == rank;
      rows[h] = is_mean ? person.mean.values : person.basis.values + (row + h) * dimensions_;
    }
    values = pack_panel(rows, height, dimensions_, values);
    for (Index h = 0; h < height; ++h) {
      inside[row + h] = static_cast<float>(-product(person.mean.values, rows[h], dimensions_));
      *values++ = inside[row + h];
    }
  }
  values = std::copy_n(person.shrinkage.values, rank, values);
  std::copy_n(inside.data(), rank, values);

  Shape shape{rank, person.samples.cols, person.offset, -inside[rank]};
  shape.basis_energy = inside.head(rank).squaredNorm();
  const float outside = shape.mean_energy - shape.basis_energy;
  shape.inverse_outside = outside > kLeastOutside * shape.mean_energy
                              ? 1.0F / outside
                              : std::numeric_limits<float>::infinity();
  for (Index j = 0; j < person.samples.cols; ++j) {
    const auto sample = person.samples.map().col(j);
    const float own = sample[rank];
    const float turn = -sample.head(rank).dot(inside.head(rank));  // with U'm
    const float energy = own * shape.mean_energy;
    const float square = sample.head(rank).squaredNorm() + own * (2.0F * turn + energy);
    shape.longest = std::max(shape.longest, square);
    shape.rest = std::max(shape.rest, sample[rank + 1] - turn - energy);
  }
  shape.longest = std::sqrt(shape.longest);
  return shape;
}

void SoftSubspaceBlock::replace(Index first, Index last, std::span<const SoftSubspaceRows> others) {
  const auto other = [&](Index i) -> const SoftSubspaceRows& {
    return others[static_cast<std::size_t>(i)];
  };
  const auto count = static_cast<Index>(others.size());
  rows_.replace(
      first, last, count,
      [&](Index i) {
        const Index rank = other(i).basis.cols;
        return (rank + 1) * (dimensions_ + 1) + 2 * rank;
      },
      [&](Index i, float* values) { return pack(other(i), values); });
  samples_.replace(
      first, last, count, [&](Index i) { return other(i).samples.size(); },
      [&](Index i, float* values) {
        pack_panels(other(i).samples.map(), values);
        return NoShape{};
      });
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

const float* SoftSubspaceBlock::inside_of(Index person) const {
  return shrinkage_of(person) + rows_.shape(person).rank;
}

Panels SoftSubspaceBlock::samples_of(Index person) const {
  const Shape& shape = rows_.shape(person);
  return {samples_.of(person), shape.samples, shape.rank + 2};
}

bool SoftSubspaceBlock::is_ruled_out(const Shape& shape, const Reach& reach, float limit) const {
  // |P y|^2 is |U'y|^2 and what the part of m outside of U adds. Nothing is a number, and so nobody
  // is ruled out, where that part is too small.
  const float on_basis = reach.square - 2.0F * reach.along + shape.basis_energy;
  const float outside = reach.mean + shape.mean_energy + reach.along - shape.basis_energy;
  const float length_square = on_basis + outside * outside * shape.inverse_outside;
  // base + weight (1 - (longest |P y| + rest) / |y|) > limit, without the root of |P y|^2.
  const auto weight = static_cast<float>(weight_);
  const float rounding = kRounding * (weight + reach.energy + shape.mean_energy);
  const float room = reach.base + weight * (1.0F - shape.rest * reach.inverse) - rounding - limit;
  const float slope = weight * shape.longest * reach.inverse;
  return (room > 0.0F) & (slope * slope * length_square < room * room);
}

void SoftSubspaceBlock::score_tile(Index first, Index last, const ProbeTiles& probes, Index tile,
                                   float* scores) const {
  const TileKernels& kernels = tile_kernels();
  const float* energies = probes.squared_norms() + tile * kTileProbes;
  const auto weight = static_cast<float>(weight_);
  float inverse[kTileProbes];
  for (Index j = 0; j < kTileProbes; ++j) {
    inverse[j] = energies[j] > 0.0F ? 1.0F / std::sqrt(energies[j]) : 0.0F;
  }
  // U'(y - m), m'(y - m) and 1.
  std::vector<float> codes(static_cast<std::size_t>((most_rank_ + 2) * kTileProbes));
  float sums[3 * kTileProbes];
  float base[kTileProbes];
  float cosines[kTileProbes];
  for (Index person = first; person < last; ++person, scores += kTileProbes) {
    const Shape& shape = rows_.shape(person);
    kernels.products(directions_of(person), probes.tile(tile), codes.data());
    kernels.code_sums(codes.data(), shape.rank, shrinkage_of(person), inside_of(person), sums);
    float* along = &codes[static_cast<std::size_t>(shape.rank * kTileProbes)];
    for (Index j = 0; j < kTileProbes; ++j) {
      base[j] = energies[j] - 2.0F * along[j] - shape.mean_energy - sums[j] + shape.offset;
    }
    if (weight == 0.0F) {
      std::copy_n(base, kTileProbes, scores);
      continue;
    }
    int ruled_out = 0;
    for (Index j = 0; j < kTileProbes; ++j) {
      const Reach reach{base[j],  sums[kTileProbes + j], sums[2 * kTileProbes + j],
                        along[j], energies[j],           inverse[j]};
      ruled_out += is_ruled_out(shape, reach, scores[j]) ? 1 : 0;
    }
    if (ruled_out == kTileProbes) {
      std::fill_n(scores, kTileProbes, std::numeric_limits<float>::infinity());
      continue;
    }
    std::fill_n(along + kTileProbes, kTileProbes, 1.0F);
    kernels.largest_products(samples_of(person), codes.data(), cosines);
    for (Index j = 0; j < kTileProbes; ++j) {
      scores[j] = base[j] + weight * (1.0F - cosines[j] * inverse[j]);
    }
  }
}

void SoftSubspaceBlock::score_probe(Index first, Index last, const ProbeTiles& probes, Index probe,
                                    float* scores) const {
  const TileKernels& kernels = tile_kernels();
  const float energy = probes.squared_norms()[probe];
  const float inverse = energy > 0.0F ? 1.0F / std::sqrt(energy) : 0.0F;
  const auto weight = static_cast<float>(weight_);
  std::vector<float> codes(static_cast<std::size_t>(most_rank_ + 2));
  std::vector<float> spread(static_cast<std::size_t>((most_rank_ + 2) * kPanelRows));
  std::vector<float> cosines(static_cast<std::size_t>(most_samples_));
  for (Index person = first; person < last; ++person, ++scores) {
    const Shape& shape = rows_.shape(person);
    const auto rank = static_cast<std::size_t>(shape.rank);
    kernels.row_products(directions_of(person), probes.spread(probe), codes.data());
    codes[rank + 1] = 1.0F;
    const Eigen::Map<const VectorF> code(codes.data(), shape.rank);
    const Eigen::Map<const VectorF> shrinkage(shrinkage_of(person), shape.rank);
    const Eigen::Map<const VectorF> inside(inside_of(person), shape.rank);
    Reach reach{};
    reach.base = energy - 2.0F * codes[rank] - shape.mean_energy + shape.offset -
                 shrinkage.cwiseProduct(code).dot(code);
    reach.square = code.squaredNorm();
    reach.along = inside.dot(code);
    reach.mean = codes[rank];
    reach.energy = energy;
    reach.inverse = inverse;
    if (weight == 0.0F) {
      *scores = reach.base;
      continue;
    }
    if (is_ruled_out(shape, reach, *scores)) {
      *scores = std::numeric_limits<float>::infinity();
      continue;
    }
    for (std::size_t k = 0; k < rank + 2; ++k) {
      std::fill_n(&spread[k * kPanelRows], kPanelRows, codes[k]);
    }
    kernels.row_products(samples_of(person), spread.data(), cosines.data());
    const float cosine = *std::max_element(cosines.begin(), cosines.begin() + shape.samples);
    *scores = reach.base + weight * (1.0F - cosine * inverse);
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
