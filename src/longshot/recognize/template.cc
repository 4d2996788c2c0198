// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/template.h"

#include <algorithm>
#include <cassert>

#include "longshot/core/error.h"

namespace longshot {
namespace {

constexpr Index kLargestWhole = Index{1} << 24;  // of single precision

[[noreturn]] void refuse_damage() {
  throw Error(ErrorKind::damaged,
              "The gallery is damaged: a template does not have the size that it claims.");
}

[[noreturn]] void refuse_part(std::string_view name) {
  throw Error("The template does not belong to this model: its {} does not fit.", name);
}

Index whole(float value) {
  if (!(value >= 0.0F && value <= static_cast<float>(kLargestWhole))) refuse_damage();
  const auto number = static_cast<Index>(value);
  if (static_cast<float>(number) != value) refuse_damage();
  return number;
}

}  // namespace

const Matrix& Template::part(std::string_view name) const {
  const auto found = std::ranges::find(parts, name, &TemplatePart::name);
  if (found == parts.end()) refuse_part(name);
  return found->values;
}

std::vector<float> template_values(const Template& person) {
  std::vector<float> values;
  values.push_back(static_cast<float>(person.parts.size()));
  for (const auto& [name, part] : person.parts) {
    assert(part.rows() <= kLargestWhole && part.cols() <= kLargestWhole);
    values.push_back(static_cast<float>(part.rows()));
    values.push_back(static_cast<float>(part.cols()));
  }
  for (const auto& [name, part] : person.parts) {
    for (const double value : part.reshaped()) values.push_back(static_cast<float>(value));
  }
  return values;
}

Template template_of(StoredTemplate values, std::span<const std::string> names) {
  StoredParts stored(values, names.size());
  Template person;
  for (const std::string& name : names) {
    person.parts.push_back({name, stored.next(name, StoredParts::kAny).map().cast<double>()});
  }
  return person;
}

StoredParts::StoredParts(StoredTemplate values, std::size_t parts) {
  if (values.empty()) refuse_damage();
  const auto claimed = static_cast<std::size_t>(whole(values[0]));
  if (claimed > (values.size() - 1) / 2) refuse_damage();
  sizes_ = values.data() + 1;
  values_ = sizes_ + 2 * claimed;
  std::size_t left = values.size() - 1 - 2 * claimed;
  for (std::size_t i = 0; i < claimed; ++i) {
    const auto count = static_cast<std::size_t>(whole(sizes_[2 * i]) * whole(sizes_[2 * i + 1]));
    if (count > left) refuse_damage();
    left -= count;
  }
  if (left != 0) refuse_damage();
  if (claimed != parts) throw Error("The template does not belong to this model.");
}

MatrixView StoredParts::next(std::string_view name, Index rows, Index cols) {
  const auto own_rows = static_cast<Index>(sizes_[0]);
  const auto own_cols = static_cast<Index>(sizes_[1]);
  if ((rows != kAny && rows != own_rows) || (cols != kAny && cols != own_cols)) refuse_part(name);
  const MatrixView part{values_, own_rows, own_cols};
  sizes_ += 2;
  values_ += own_rows * own_cols;
  return part;
}

}  // namespace longshot
