// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/search/matrix_view.h"

namespace longshot {

struct TemplatePart {
  std::string name;
  Matrix values;
};

// What enrolment keeps of one person: matrices whose names and meaning are the method's own.
struct Template {
  std::vector<TemplatePart> parts;

  // Throws Error, as for a template of another model, if there is none of that name.
  const Matrix& part(std::string_view name) const;
};

// A template as the gallery keeps it: the number of parts, rows and columns of each, then their
// values column by column, all in single precision. Names are not kept: a method writes and reads
// its parts in one order.
std::vector<float> template_values(const Template& person);

// Of one person, as template_values() gives them; of several people.
using StoredTemplate = std::span<const float>;
using StoredTemplates = std::span<const StoredTemplate>;

// Back, with the names that the method gives its parts. Throws Error, as for a damaged gallery,
// where the sizes do not fit the values, and, as for a template of another model, where there are
// more or fewer parts.
Template template_of(StoredTemplate values, std::span<const std::string> names);

// Reads the parts of a stored template in their order, where they lie.
class StoredParts {
 public:
  static constexpr Index kAny = -1;

  // Throws Error as template_of() does.
  StoredParts(StoredTemplate values, std::size_t parts);

  // The next one, which is called `name` and must have that many rows and columns. Throws Error, as
  // for a template of another model, if it has not.
  MatrixView next(std::string_view name, Index rows, Index cols = kAny);

 private:
  const float* sizes_;
  const float* values_;
};

}  // namespace longshot
