// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/template_values.h"

#include <cassert>

#include "longshot/core/error.h"

namespace longshot {
namespace {

constexpr Index kLargestWhole = Index{1} << 24;  // of single precision

[[noreturn]] void refuse() {
  throw Error(ErrorKind::damaged,
              "The gallery is damaged: a template does not have the size that it claims.");
}

Index whole(float value) {
  if (!(value >= 0.0F && value <= static_cast<float>(kLargestWhole))) refuse();
  const auto number = static_cast<Index>(value);
  if (static_cast<float>(number) != value) refuse();
  return number;
}

}  // namespace

std::vector<float> template_values(const Template& person) {
  std::vector<float> values;
  values.push_back(static_cast<float>(person.parts.size()));
  for (const Matrix& part : person.parts) {
    assert(part.rows() <= kLargestWhole && part.cols() <= kLargestWhole);
    values.push_back(static_cast<float>(part.rows()));
    values.push_back(static_cast<float>(part.cols()));
  }
  for (const Matrix& part : person.parts) {
    for (const double value : part.reshaped()) values.push_back(static_cast<float>(value));
  }
  return values;
}

Template template_of(std::span<const float> values) {
  if (values.empty()) refuse();
  const auto parts = static_cast<std::size_t>(whole(values[0]));
  if (parts > (values.size() - 1) / 2) refuse();
  Template person;
  std::size_t at = 1 + 2 * parts;
  for (std::size_t i = 0; i < parts; ++i) {
    const Index rows = whole(values[1 + 2 * i]);
    const Index cols = whole(values[2 + 2 * i]);
    const auto count = static_cast<std::size_t>(rows * cols);
    if (count > values.size() - at) refuse();
    person.parts.push_back(
        Eigen::Map<const MatrixF>(values.data() + at, rows, cols).cast<double>());
    at += count;
  }
  if (at != values.size()) refuse();
  return person;
}

}  // namespace longshot
