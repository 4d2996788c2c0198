// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/matrix_searcher.h"

#include <algorithm>
#include <cassert>

#include "longshot/core/error.h"

namespace longshot {

void refuse_template() {
  throw Error("The template does not belong to this model.");
}

void MatrixSearcher::add_all(std::span<const Template> people) {
  for (const Template& person : people) {
    if (!std::ranges::equal(person.parts, parts_, {}, &TemplatePart::name)) refuse_template();
    check(person);
  }
  for (const Template& person : people) add_checked(person);
}

void MatrixSearcher::replace([[maybe_unused]] Index first, [[maybe_unused]] Index last,
                             StoredTemplates stored) {
  assert(first == people() && last == people());
  std::vector<Template> added;
  added.reserve(stored.size());
  for (const StoredTemplate& person : stored) added.push_back(template_of(person, parts_));
  add_all(added);
}

}  // namespace longshot
