// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_model.h"

#include <algorithm>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/gallery/content_hash.h"
#include "longshot/recognize/face_relighter.h"
#include "longshot/recognize/life_space.h"

namespace longshot {
namespace {

constexpr const char* kCameraMark = " camera:";
constexpr std::size_t kHashBytes = 8;

std::shared_ptr<const Extender> make_extender(const Model& model) {
  return std::make_shared<Extender>(
      make_relighter(model.geometry.frame, model.geometry.high, model.prior,
                     relight_options(model.options, model.lights)),
      model.geometry);
}

// One photo of each of the people who are learnt from; none of too few.
Matrix enrolled_photos(const GalleryPeople& people, const GallerySetup& setup) {
  if (people.count() < kFewestPeople) return {};
  const Index step = enrolled_step(people.count());
  constexpr Index kBlock = 10000;
  std::vector<PersonId> chosen;
  IdRange range;
  Index seen = 0;
  while (true) {
    const std::vector<Person> block = people.people(range, kBlock);
    if (block.empty()) break;
    for (const Person& person : block) {
      if (person.photos > 0 && seen++ % step == 0) chosen.push_back(person.id);
    }
    range.first = block.back().id + 1;
  }
  return people.first_faces(chosen, setup.high);
}

// Everything of a model but what its method has learnt.
Model blank_model(const GalleryStore& gallery, Size size, const std::optional<Camera>& camera,
                  const TrainingFaces* training) {
  const GallerySetup setup = setup_of(gallery);
  check_probe_size(size, setup.high);
  Model model;
  model.options.profile = setup.profile;
  model.geometry = {setup.frame, setup.high, size, setup.op};
  if (camera) model.geometry = through_camera(model.geometry, *camera);
  model.lights = ten_lights();
  std::optional<AlbedoPrior> trained;
  if (training) trained = training->prior;
  model.prior = known_albedo(albedo_knowledge(model.options), setup.frame, setup.high, trained);
  return model;
}

TrainingSet training_set(const GalleryPeople& people, std::shared_ptr<const Extender> extender,
                         const TrainingFaces* training) {
  TrainingSet set;
  set.extender = std::move(extender);
  set.photos_high.resize(set.extender->geometry().high.pixels(), 0);
  if (training) {
    set.photos_high = training->photos();
    set.subjects = training->subjects;
  }
  set.enrolled_high = enrolled_photos(people, setup_of(people.common()));
  set.check();
  return set;
}

GalleryModel learn_model(const GalleryPeople& people, const std::string& method, Size size,
                         const std::optional<Camera>& camera, Progress& progress) {
  const GalleryStore& gallery = people.common();
  GalleryModel made;
  made.key = model_key(method, size, camera);
  ProgressScope scope(progress, "Learning " + model_title(made.key), 1);
  const std::shared_ptr<const TrainingFaces> training = find_training(gallery);
  made.model = blank_model(gallery, size, camera, training.get());
  made.model.method = method;
  made.recognizer = make_recognizer(method, made.model.options);
  made.extender = make_extender(made.model);
  made.recognizer->learn(training_set(people, made.extender, training.get()));
  made.model.state = made.recognizer->state();
  scope.advance();
  return made;
}

// Models and indexes of cameras, so that there are at most kMostCameras with this one.
void forget_old_cameras(GalleryStore& gallery, const std::string& key) {
  const std::size_t end = key.find(kCameraMark);
  if (end == std::string::npos) return;
  const std::string beginning = key.substr(0, end + std::string_view(kCameraMark).size());
  std::vector<std::string> others;  // the oldest first
  for (const std::string& index : gallery.index_keys()) {
    if (index.starts_with(beginning) && index != key) others.push_back(index);
  }
  for (std::size_t i = 0; i + kMostCameras <= others.size(); ++i) {
    gallery.erase_index(others[i]);
    gallery.erase_model(others[i]);
  }
}

}  // namespace

TrainingSet training_set_of(const GalleryPeople& people, Size size) {
  const GalleryStore& gallery = people.common();
  const std::shared_ptr<const TrainingFaces> training = find_training(gallery);
  return training_set(people, make_extender(blank_model(gallery, size, {}, training.get())),
                      training.get());
}

std::string model_key(const std::string& method, Size size, const std::optional<Camera>& camera) {
  std::string key = method + " " + to_string(size);
  if (camera && camera->learnt) {
    key += kCameraMark;
    Camera same = *camera;  // centres and days are the probes' matter, not the model's
    same.centres.clear();
    same.days = Days::kUnknown;
    for (const char byte : content_hash(encode_camera(same)).substr(0, kHashBytes)) {
      key += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
  }
  return key;
}

bool is_of_camera(const std::string& key) {
  return key.find(kCameraMark) != std::string::npos;
}

std::string model_title(const std::string& key) {
  const std::size_t mark = key.find(kCameraMark);
  return mark == std::string::npos ? key : key.substr(0, mark) + " of this camera";
}

std::optional<GalleryModel> find_model(const GalleryStore& gallery, const std::string& key) {
  const std::optional<std::string> bytes = gallery.model(key);
  if (!bytes) return std::nullopt;
  GalleryModel found;
  found.key = key;
  found.model =
      decode_model(*bytes, fmt::format("The model \"{}\" in {}", key, gallery.path().string()));
  if (holds_other_network(found.model.state)) return std::nullopt;
  found.recognizer = restore_recognizer(found.model);
  found.extender = make_extender(found.model);
  return found;
}

std::vector<GalleryModel> all_models(const GalleryStore& gallery) {
  std::vector<GalleryModel> models;
  for (const std::string& key : recognizer_keys(gallery)) {
    if (std::optional<GalleryModel> found = find_model(gallery, key)) {
      models.push_back(std::move(*found));
    }
  }
  return models;
}

GalleryModel provide_model(GalleryStore& gallery, const GalleryPeople& people,
                           const std::string& method, Size size,
                           const std::optional<Camera>& camera, Progress& progress) {
  const std::string key = model_key(method, size, camera);
  if (std::optional<GalleryModel> found = find_model(gallery, key)) return std::move(*found);
  require_photos(gallery);
  GalleryModel made = learn_model(people, method, size, camera, progress);
  GalleryTransaction transaction(gallery);
  // Another process may have been faster; all must use the same one.
  if (std::optional<GalleryModel> found = find_model(gallery, key)) return std::move(*found);
  forget_old_cameras(gallery, key);
  gallery.erase_index(key);  // of a model that is replaced
  gallery.put_model(key, encode_model(made.model));
  transaction.commit();
  return made;
}

}  // namespace longshot
