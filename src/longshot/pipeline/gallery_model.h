// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "longshot/camera/camera.h"
#include "longshot/core/progress.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/gallery_people.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/recognize/model_io.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {

// One recogniser of a gallery: of one method, for probes of one size.
struct GalleryModel {
  std::string key;  // of the model and of its index in the gallery: "kernel 12x10"
  Model model;
  std::unique_ptr<Recognizer> recognizer;
  std::shared_ptr<const Extender> extender;

  // N_H x p, all photos of one person -> what the index keeps.
  Template enrol(const MatrixRef& photos_high) const {
    return recognizer->enrol(extender->extend(photos_high));
  }
};

// A camera that was learnt has a key of its own: "longshot 12x10 camera:1a2b3c4d5e6f7081".
std::string model_key(const std::string& method, Size size,
                      const std::optional<Camera>& camera = {});

bool is_of_camera(const std::string& key);

// The key as people are told what is being made: "longshot 12x10 of this camera".
std::string model_title(const std::string& key);

// As it is kept in the gallery, or nothing. One that was made with another network than this
// version has counts as nothing.
std::optional<GalleryModel> find_model(const GalleryStore& gallery, const std::string& key);

// All that are kept, in order of their keys.
std::vector<GalleryModel> all_models(const GalleryStore& gallery);

// As it is kept in the gallery, or learnt now from its training people and, where there are at
// least kFewestPeople, from the enrolled ones, and kept. It stays as it is while people come and
// go. Of the cameras of one method and size only the last kMostCameras are kept. Throws Error for
// an unknown method or an unsuitable size.
GalleryModel provide_model(GalleryStore& gallery, const GalleryPeople& people,
                           const std::string& method, Size size,
                           const std::optional<Camera>& camera = {},
                           Progress& progress = no_progress());
inline GalleryModel provide_model(GalleryStore& gallery, const std::string& method, Size size,
                                  const std::optional<Camera>& camera = {},
                                  Progress& progress = no_progress()) {
  return provide_model(gallery, FilePeople(gallery), method, size, camera, progress);
}

inline constexpr std::size_t kMostCameras = 4;

// How photos of the gallery are relit and brought down for any method, and what there is to learn
// from.
TrainingSet training_set_of(const GalleryPeople& people, Size size);
inline TrainingSet training_set_of(const GalleryStore& gallery, Size size) {
  return training_set_of(FilePeople(gallery), size);
}

}  // namespace longshot
