// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/life_plda.h"

#include <utility>

#include "longshot/core/error.h"
#include "longshot/recognize/matrix_searcher.h"
#include "longshot/recognize/plda.h"

namespace longshot {
namespace {

// Of everybody to a probe without content: no face says so much against a person.
constexpr double kFar = 1000.0;

class PldaSearcher final : public MatrixSearcher {
 public:
  PldaSearcher(const std::string& part, LifeSpace space)
      : MatrixSearcher({part}),
        part_(part),
        space_(std::move(space)),
        people_(space_.between().size()) {}

  std::unique_ptr<Searcher> centred(const Camera& camera) const override {
    auto result = std::make_unique<PldaSearcher>(*this);
    result->move_ = space_.move_of(camera);
    return result;
  }
  Index people() const override { return people_.people(); }
  Index bytes() const override { return people_.bytes(); }
  Matrix distances(const MatrixRef& probes) const override {
    check_probes(probes, space_.pixels(), people());
    const Matrix coordinates = space_.moved_coordinates(probes, move_);
    Matrix result = -people_.log_ratios(coordinates);
    for (Index j = 0; j < result.cols(); ++j) {
      if (coordinates.col(j).isZero(0.0)) result.col(j).setConstant(kFar);
    }
    return result;
  }

 private:
  void check(const Template& person) const override {
    const Matrix& own = person.part(part_);
    if (own.rows() != people_.length() || own.cols() != 1) refuse_template();
  }
  void add_checked(const Template& person) override { people_.add(person.part(part_)); }

  std::string part_;
  LifeSpace space_;
  PldaPeople people_;
  Vector move_;  // of probes; empty: none
};

}  // namespace

LifePlda::LifePlda(std::string name, std::string part, const LifeTable& table)
    : name_(std::move(name)), part_(std::move(part)), table_(table) {}

void LifePlda::learn(const TrainingSet& training) {
  training.check();
  space_ = LifeSpace(training.extender->geometry(), table_);
}

Template LifePlda::enrol(const PersonImages& person) const {
  return {{{part_, plda_person(space_.between(), space_.coordinates(person))}}};
}

std::unique_ptr<Searcher> LifePlda::make_searcher() const {
  return std::make_unique<PldaSearcher>(part_, space_);
}

ModelState LifePlda::state() const {
  ModelState state;
  space_.save(state, part_);
  return state;
}

void LifePlda::restore(const ModelState& state) {
  space_ = LifeSpace::load(state, part_);
}

}  // namespace longshot
