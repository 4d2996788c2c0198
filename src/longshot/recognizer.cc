// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "longshot/own_recognizer.h"
#include "longshot/recognize/face_relighter.h"
#include "longshot/recognize/method.h"

namespace longshot::v0 {
namespace {

longshot::MethodOptions inner_options(const MethodOptions& options) {
  longshot::MethodOptions inner;
  inner.profile = parse_profile(options.profile);
  inner.tune = options.tune;
  inner.parameters = options.parameters;
  inner.embedding = options.embedding;
  return inner;
}

// Relights as an experiment on these people would (evaluate/experiment_draw).
longshot::TrainingSet inner_training(const Images& photos, const std::vector<int>& subjects,
                                     const TrainingOptions& options) {
  longshot::TrainingSet training;
  training.photos_high = door::inner_images(photos);
  training.subjects = subjects;
  const longshot::Size high = door::inner(photos.size);
  const longshot::Size low = door::inner(options.low);
  if (low.rows < 1 || low.cols < 1 || low.rows > high.rows || low.cols > high.cols) {
    throw Error("Photos of {} cannot be brought down to {}.", to_string(high), to_string(low));
  }
  const FaceFrame frame = door::crop_frame(high, options.eyes);
  longshot::MethodOptions method;
  method.profile = parse_profile(options.profile);
  std::optional<AlbedoPrior> trained;
  if (!training.empty() && training.photos_high.allFinite()) {
    trained = trained_albedo(frame, high, training.photos_high);
  }
  auto relighter =
      make_relighter(frame, high, known_albedo(albedo_knowledge(method), frame, high, trained),
                     relight_options(method, ten_lights()));
  training.extender = std::make_shared<Extender>(
      std::move(relighter), FaceGeometry{frame, high, low, parse_operator(options.op)});
  training.check();
  return training;
}

class BuiltinMethod final : public Method {
 public:
  explicit BuiltinMethod(std::unique_ptr<longshot::Recognizer> recognizer)
      : recognizer_(std::move(recognizer)) {}

  void learn(const TrainingSet& training) override {
    door::translated([&] {
      recognizer_->learn(training.value().training);
      high_ = training.high();
      low_ = training.low();
    });
  }
  Template enrol(const PersonImages& person) const override {
    return door::translated([&] {
      check_learnt();
      for (const auto& [images, size] :
           {std::pair(&person.photos_high, high_), std::pair(&person.relit_high, high_),
            std::pair(&person.photos_low, low_), std::pair(&person.relit_low, low_)}) {
        if (images->size != size) {
          throw Error("A person's images are {}, but the method has learnt for {}.",
                      to_string(images->size), to_string(size));
        }
      }
      return Template(recognizer_->enrol(door::inner_person(person)));
    });
  }
  std::vector<double> distances(const std::vector<Template>& people,
                                const Images& probes) const override {
    return door::translated([&] {
      check_learnt();
      if (probes.size != low_) {
        throw Error("The probes are {}, but the method has learnt for {}.", to_string(probes.size),
                    to_string(low_));
      }
      const std::unique_ptr<Searcher> searcher = recognizer_->make_searcher();
      std::vector<longshot::Template> own;
      for (const Template& person : people) {
        const auto* const kept = std::any_cast<longshot::Template>(&person);
        if (kept == nullptr) throw Error("A template was made by another method.");
        own.push_back(*kept);
      }
      searcher->add_all(own);
      const Matrix found = searcher->distances(door::inner_images(probes)).transpose();
      return std::vector<double>(found.data(), found.data() + found.size());
    });
  }

 private:
  void check_learnt() const {
    if (low_ == Size()) throw Error("The method has not learnt anything yet.");
  }

  std::unique_ptr<longshot::Recognizer> recognizer_;
  Size high_;
  Size low_;
};

}  // namespace

TrainingSet::TrainingSet(const Images& photos, const std::vector<int>& subjects,
                         const TrainingOptions& options)
    : value_(door::translated([&] {
        return std::make_shared<const Value>(Value{inner_training(photos, subjects, options)});
      })) {}

TrainingSet::TrainingSet(std::shared_ptr<const Value> value) : value_(std::move(value)) {}

Size TrainingSet::high() const {
  return door::outer(value_->training.extender->geometry().high);
}

Size TrainingSet::low() const {
  return door::outer(value_->training.extender->geometry().low);
}

Images TrainingSet::photos_high() const {
  return door::outer_images(value_->training.photos_high, door::inner(high()));
}

Images TrainingSet::photos_low() const {
  return door::translated(
      [&] { return door::outer_images(value_->training.photos_low(), door::inner(low())); });
}

const std::vector<int>& TrainingSet::subjects() const {
  return value_->training.subjects;
}

std::vector<std::ptrdiff_t> TrainingSet::gallery_like() const {
  const std::vector<Index>& photos = value_->training.gallery_like;
  return {photos.begin(), photos.end()};
}

Images TrainingSet::enrolled_high() const {
  return door::outer_images(value_->training.enrolled_high, door::inner(high()));
}

PersonImages TrainingSet::extend(const Images& photos_high) const {
  return door::translated([&] {
    const Extender& extender = *value_->training.extender;
    if (photos_high.size != high()) {
      throw Error("The photos are {}, but those of the training set are {}.",
                  to_string(photos_high.size), to_string(high()));
    }
    const Matrix photos = door::inner_images(photos_high);
    if (photos.cols() == 0) throw Error("A person needs a photo.");
    if (!photos.allFinite()) throw Error("A photo holds values that are not finite.");
    return door::outer_person(extender.extend(photos), extender.geometry());
  });
}

std::vector<std::string> method_names() {
  return longshot::method_names();
}

std::unique_ptr<Method> make_method(const std::string& name, const MethodOptions& options) {
  return door::translated([&] {
    return std::make_unique<BuiltinMethod>(make_recognizer(name, inner_options(options)));
  });
}

}  // namespace longshot::v0
