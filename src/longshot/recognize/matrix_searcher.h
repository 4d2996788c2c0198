// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "longshot/recognize/recognizer.h"

namespace longshot {

// For methods that compare in double precision: they take templates one by one.
class MatrixSearcher : public Searcher {
 public:
  void add_all(std::span<const Template> people) final;
  void replace(Index first, Index last, StoredTemplates stored) final;

 protected:
  // The names of the parts, in their order.
  explicit MatrixSearcher(std::vector<std::string> parts) : parts_(std::move(parts)) {}

  // Throws Error unless the sizes of the parts are the model's.
  virtual void check(const Template& person) const = 0;
  virtual void add_checked(const Template& person) = 0;

 private:
  std::vector<std::string> parts_;
};

// For check().
[[noreturn]] void refuse_template();

}  // namespace longshot
