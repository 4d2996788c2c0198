// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/plda.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"

namespace longshot {
namespace {

constexpr Index kPeoplePerBlock = 256;

// With squares and one, so that a log-likelihood ratio is one product. A probe of which nothing is
// known says nothing about anybody.
Matrix with_squares(const MatrixRef& probes) {
  const Index d = probes.rows();
  Matrix values(2 * d + 1, probes.cols());
  values.topRows(d) = probes;
  values.middleRows(d, d) = probes.cwiseAbs2();
  for (Index j = 0; j < probes.cols(); ++j)
    values(2 * d, j) = probes.col(j).isZero(0.0) ? 0.0 : 1.0;
  return values;
}

}  // namespace

Vector plda_person(const Vector& between, const MatrixRef& images) {
  const Index d = between.size();
  if (images.cols() == 0) throw Error("There is no image to enrol.");
  if (images.rows() != d) {
    throw Error("The images have {} coordinates, but the model has {}.", images.rows(), d);
  }
  const auto n = static_cast<double>(images.cols());
  const Vector mean = images.rowwise().mean();
  Vector person = Vector::Zero(2 * d + 1);
  for (Index i = 0; i < d; ++i) {
    const double variance = between(i) / (1.0 + n * between(i));
    const double expected = n * variance * mean(i);
    // Of y given the person, and of y of anybody.
    const double own = 1.0 + variance;
    const double all = 1.0 + between(i);
    person(i) = expected / own;
    person(d + i) = 0.5 * (1.0 / all - 1.0 / own);
    person(2 * d) += 0.5 * (std::log(all / own) - expected * expected / own);
  }
  return person;
}

void PldaPeople::add(const MatrixRef& person) {
  if (person.rows() != length() || person.cols() != 1) {
    throw Error("The template does not belong to this model.");
  }
  const MatrixF values = person.cast<float>();
  const MatrixView view{values.data(), values.rows(), values.cols()};
  replace(people(), people(), std::span(&view, 1));
}

Index PldaPeople::number_of_squares(const float* row) {
  const auto same = [&](const VectorF& known) {
    return std::memcmp(known.data(), row, static_cast<std::size_t>(dimensions_) * sizeof(float)) ==
           0;
  };
  const auto found = std::ranges::find_if(squares_, same);
  if (found != squares_.end()) return found - squares_.begin();
  squares_.emplace_back(Eigen::Map<const VectorF>(row, dimensions_));
  return std::ssize(squares_) - 1;
}

void PldaPeople::replace(Index first, Index last, std::span<const MatrixView> others) {
  std::vector<Shape> shapes;
  for (const MatrixView& person : others) {
    assert(person.size() == length());
    shapes.push_back({number_of_squares(person.values + dimensions_)});
  }
  rows_.replace(
      first, last, static_cast<Index>(others.size()), [&](Index) { return dimensions_ + 1; },
      [&](Index i, float* values) {
        const float* person = others[static_cast<std::size_t>(i)].values;
        values = std::copy_n(person, dimensions_, values);
        *values = person[2 * dimensions_];
        return shapes[static_cast<std::size_t>(i)];
      });
}

Matrix PldaPeople::log_ratios(const MatrixRef& probes, Index first, Index last) const {
  if (probes.rows() != dimensions_) {
    throw Error("The probes have {} coordinates, but the people {}.", probes.rows(), dimensions_);
  }
  const Matrix values = with_squares(probes);
  Matrix result(last - first, probes.cols());
  parallel_blocks(last - first, kPeoplePerBlock, [&](Index begin, Index end) {
    MatrixF people(length(), end - begin);
    for (Index i = begin; i < end; ++i) {
      const float* row = rows_.of(first + i);
      const VectorF& squares = squares_[static_cast<std::size_t>(rows_.shape(first + i).squares)];
      people.col(i - begin) << Eigen::Map<const VectorF>(row, dimensions_), squares,
          row[dimensions_];
    }
    result.middleRows(begin, end - begin).noalias() = people.cast<double>().transpose() * values;
  });
  return result;
}

void PldaPeople::add_tile(Index first, Index last, const PldaProbes& probes, Index tile,
                          float* sums) const {
  const TileKernels& kernels = tile_kernels();
  for (Index i = first; i < last; ++i) {
    const float* squares = probes.squares(rows_.shape(i).squares, tile);
    float* own = sums + (i - first) * kTileProbes;
    for (Index j = 0; j < kTileProbes; ++j) own[j] += squares[j];
  }
  const Index depth = dimensions_ + 1;
  rows_.for_each_run(first, last, [&](Index from, Index to, const float* rows) {
    kernels.add_products({rows, to - from, depth, depth}, probes.tile(tile),
                         sums + (from - first) * kTileProbes);
  });
}

void PldaPeople::add_probe(Index first, Index last, const PldaProbes& probes, Index probe,
                           float* sums) const {
  const TileKernels& kernels = tile_kernels();
  const Index depth = dimensions_ + 1;
  for (Index i = first; i < last; ++i) {
    sums[i - first] += probes.squares(rows_.shape(i).squares, 0)[probe];
  }
  rows_.for_each_run(first, last, [&](Index from, Index to, const float* rows) {
    kernels.add_row_products({rows, to - from, depth, depth},
                             &probes.probes_[static_cast<std::size_t>(probe * depth)],
                             sums + from - first);
  });
}

PldaProbes::PldaProbes(const PldaPeople& people, const MatrixRef& probes, double weight)
    : depth_(people.dimensions_ + 1),
      tile_count_((probes.cols() + kTileProbes - 1) / kTileProbes),
      tiles_(at(tile_count_ * kTileProbes * depth_), 0.0F),
      squares_(at(std::ssize(people.squares_) * tile_count_ * kTileProbes), 0.0F) {
  const Matrix values = weight * with_squares(probes);
  if (probes.cols() <= kTileProbes) probes_.resize(at(probes.cols() * depth_));
  for (Index j = 0; j < probes.cols(); ++j) {
    const Index tile = j / kTileProbes;
    const Index place = j % kTileProbes;
    for (Index t = 0; t < depth_; ++t) {
      const auto value = static_cast<float>(values(t + 1 < depth_ ? t : values.rows() - 1, j));
      tiles_[at((tile * depth_ + t) * kTileProbes + place)] = value;
      if (!probes_.empty()) probes_[at(j * depth_ + t)] = value;
    }
    for (std::size_t row = 0; row < people.squares_.size(); ++row) {
      squares_[at((static_cast<Index>(row) * tile_count_ + tile) * kTileProbes + place)] =
          static_cast<float>(people.squares_[row].cast<double>().dot(
              values.col(j).segment(people.dimensions_, people.dimensions_)));
    }
  }
}

}  // namespace longshot
