// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/plda.h"

#include <algorithm>
#include <cassert>
#include <cmath>

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

void PldaPeople::replace(Index first, Index last, std::span<const MatrixView> others) {
  rows_.replace(
      first, last, static_cast<Index>(others.size()), [&](Index) { return length(); },
      [&](Index i, float* values) {
        const MatrixView& person = others[static_cast<std::size_t>(i)];
        assert(person.size() == length());
        std::copy_n(person.values, length(), values);
        return NoShape{};
      });
}

Matrix PldaPeople::log_ratios(const MatrixRef& probes, Index first, Index last) const {
  if (probes.rows() != dimensions_) {
    throw Error("The probes have {} coordinates, but the people {}.", probes.rows(), dimensions_);
  }
  const Matrix values = with_squares(probes);
  Matrix result(last - first, probes.cols());
  parallel_blocks(last - first, kPeoplePerBlock, [&](Index begin, Index end) {
    rows_.for_each_run(first + begin, first + end, [&](Index from, Index to, const float* rows) {
      const Eigen::Map<const MatrixF> people(rows, length(), to - from);
      result.middleRows(from - first, to - from).noalias() =
          people.cast<double>().transpose() * values;
    });
  });
  return result;
}

MatrixF PldaPeople::log_ratios_quickly(const MatrixRef& probes, Index first, Index last) const {
  const MatrixF values = with_squares(probes).cast<float>();
  MatrixF result(last - first, probes.cols());
  rows_.for_each_run(first, last, [&](Index from, Index to, const float* rows) {
    const Eigen::Map<const MatrixF> people(rows, length(), to - from);
    result.middleRows(from - first, to - from).noalias() = people.transpose() * values;
  });
  return result;
}

}  // namespace longshot
