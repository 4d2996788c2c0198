// SPDX-License-Identifier: Apache-2.0
#include "longshot/own_recognizer.h"

#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "longshot/core/interrupt.h"

namespace longshot {
namespace {

// What a method that is not ours keeps of people. Our templates hold matrices, and so only the
// number of what is kept here, until the method learns anew.
class KeptPeople {
 public:
  longshot::Template add(v0::Template person) {
    const std::lock_guard lock(mutex_);
    people_.push_back(std::move(person));
    return {{{"number", Matrix::Constant(1, 1, static_cast<double>(people_.size() - 1))}}};
  }
  v0::Template find(const longshot::Template& person) const {
    const Matrix& number = person.part("number");
    const std::lock_guard lock(mutex_);
    if (number.size() != 1 || !(number(0) >= 0 && number(0) < static_cast<double>(people_.size())))
      throw Error("A template was made by another method.");
    return people_[static_cast<std::size_t>(number(0))];
  }

 private:
  mutable std::mutex mutex_;
  std::vector<v0::Template> people_;
};

class OwnSearcher final : public Searcher {
 public:
  OwnSearcher(std::string name, std::shared_ptr<const v0::Method> method,
              std::shared_ptr<const KeptPeople> kept, Size low)
      : name_(std::move(name)), method_(std::move(method)), kept_(std::move(kept)), low_(low) {}

  void add_all(std::span<const longshot::Template> people) override {
    std::vector<v0::Template> found;
    for (const longshot::Template& person : people) found.push_back(kept_->find(person));
    people_.insert(people_.end(), found.begin(), found.end());
  }
  void replace(Index /*first*/, Index /*last*/, StoredTemplates /*stored*/) override {
    throw Error(ErrorKind::unsupported, "Templates of {} cannot be read from a file.", name_);
  }
  Index people() const override { return static_cast<Index>(people_.size()); }

  Matrix distances(const MatrixRef& probes) const override {
    check_probes(probes, low_.pixels(), people());
    look_for_interrupt();
    const std::vector<double> found = method_->distances(people_, door::outer_images(probes, low_));
    if (static_cast<Index>(found.size()) != people() * probes.cols()) {
      throw Error("{} gave {} distances for {} people and {} probes.", name_, found.size(),
                  people(), probes.cols());
    }
    const Eigen::Map<const Matrix> rows(found.data(), probes.cols(), people());
    if (!rows.allFinite()) throw Error("{} gave a distance that is no finite number.", name_);
    return rows.transpose();
  }

 private:
  std::string name_;
  std::shared_ptr<const v0::Method> method_;
  std::shared_ptr<const KeptPeople> kept_;
  Size low_;
  std::vector<v0::Template> people_;
};

class OwnRecognizer final : public Recognizer {
 public:
  OwnRecognizer(std::string name, std::unique_ptr<v0::Method> method)
      : name_(std::move(name)), method_(std::move(method)) {}

  std::string name() const override { return name_; }
  bool has_independent_distances() const override { return false; }
  void learn(const TrainingSet& training) override {
    training.check();
    look_for_interrupt();
    geometry_ = training.extender->geometry();
    kept_ = std::make_shared<KeptPeople>();
    method_->learn(v0::TrainingSet(
        std::make_shared<v0::TrainingSet::Value>(v0::TrainingSet::Value{training})));
  }
  longshot::Template enrol(const PersonImages& person) const override {
    look_for_interrupt();
    return kept_->add(method_->enrol(door::outer_person(person, geometry_)));
  }
  std::unique_ptr<Searcher> make_searcher() const override {
    return std::make_unique<OwnSearcher>(name_, method_, kept_, geometry_.low);
  }
  ModelState state() const override { refuse_files(); }
  void restore(const ModelState& /*state*/) override { refuse_files(); }

 private:
  [[noreturn]] void refuse_files() const {
    throw Error(ErrorKind::unsupported, "What {} has learnt cannot be kept in a file.", name_);
  }

  std::string name_;
  std::shared_ptr<v0::Method> method_;
  std::shared_ptr<KeptPeople> kept_ = std::make_shared<KeptPeople>();
  FaceGeometry geometry_;
};

}  // namespace

namespace door {

v0::Images outer_images(const MatrixRef& images, longshot::Size size) {
  v0::Images shown{outer(size), std::vector<double>(static_cast<std::size_t>(images.size()))};
  for (Index j = 0; j < images.cols(); ++j) {
    Eigen::Map<Matrix>(shown.values.data() + j * size.pixels(), size.cols, size.rows) =
        Eigen::Map<const Matrix>(images.col(j).data(), size.rows, size.cols).transpose();
  }
  return shown;
}

Matrix inner_images(const v0::Images& images) {
  const longshot::Size size = inner(images.size);
  const Index count = images.count();
  if (size.rows < 1 || size.cols < 1 ||
      static_cast<Index>(images.values.size()) != count * size.pixels()) {
    throw Error("{} values are no images of {}.", images.values.size(), to_string(size));
  }
  Matrix columns(size.pixels(), count);
  for (Index j = 0; j < count; ++j) {
    Eigen::Map<Matrix>(columns.col(j).data(), size.rows, size.cols) =
        Eigen::Map<const Matrix>(images.values.data() + j * size.pixels(), size.cols, size.rows)
            .transpose();
  }
  return columns;
}

v0::PersonImages outer_person(const longshot::PersonImages& person, const FaceGeometry& geometry) {
  return {outer_images(person.photos_high, geometry.high),
          outer_images(person.photos_low, geometry.low),
          outer_images(person.relit_high, geometry.high),
          outer_images(person.relit_low, geometry.low)};
}

longshot::PersonImages inner_person(const v0::PersonImages& person) {
  return {inner_images(person.photos_high), inner_images(person.photos_low),
          inner_images(person.relit_high), inner_images(person.relit_low)};
}

std::unique_ptr<longshot::Recognizer> make_own_recognizer(const std::string& name,
                                                          std::unique_ptr<v0::Method> method) {
  if (!method) throw Error("There is no method to call {}.", name);
  return std::make_unique<OwnRecognizer>(name, std::move(method));
}

}  // namespace door
}  // namespace longshot
