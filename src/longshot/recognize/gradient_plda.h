// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "longshot/recognize/gradient_space.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {

// Gradient orientations compared by the log-likelihood ratio of PLDA: photographs of another day.
// What it knows of people is built in; it learns the sizes alone, and needs no training people.
class GradientPlda final : public Recognizer {
 public:
  std::string name() const override { return "plda"; }
  void learn(const TrainingSet& training) override;
  // One part: 2 d + 1 coefficients, of the photos and their mirror images.
  Template enrol(const PersonImages& person) const override;
  std::unique_ptr<Searcher> make_searcher() const override;
  ModelState state() const override;
  void restore(const ModelState& state) override;

 private:
  GradientSpace space_;
};

}  // namespace longshot
