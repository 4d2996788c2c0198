// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "longshot/recognize/life_space.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {

// Faces in life, compared by the log-likelihood ratio of PLDA: photographs of another day. What it
// knows of people is built in; it learns the sizes alone, and needs no training people.
class LifePlda final : public Recognizer {
 public:
  // `part` names what is kept in models and templates; `table` must outlive it.
  LifePlda(std::string name, std::string part, const LifeTable& table);

  std::string name() const override { return name_; }
  void learn(const TrainingSet& training) override;
  // One part: 2 d + 1 coefficients.
  Template enrol(const PersonImages& person) const override;
  std::unique_ptr<Searcher> make_searcher() const override;
  ModelState state() const override;
  void restore(const ModelState& state) override;

 private:
  std::string name_;
  std::string part_;
  const LifeTable& table_;
  LifeSpace space_;
};

}  // namespace longshot
