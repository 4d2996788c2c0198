// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/gallery/gallery_store.h"

namespace longshot::fuzz {

// Everything that commands read of a gallery.
inline void read_gallery(const GalleryStore& gallery) {
  for (const Person& person : gallery.people()) {
    for (const Photo& photo : gallery.photos(person.id)) photo.check();
  }
  gallery.first_photos();
  gallery.photos_marks();
  gallery.find_person("anna");
  for (const std::string& key : gallery.model_keys()) gallery.model(key);
  for (const std::string& key : gallery.index_keys()) {
    gallery.index_data(key);
    gallery.people_without_template(key, {}, 100);
    gallery.read_templates(key, {}, 100);
  }
  for (const char* key : {"frame", "high resolution", "operator", "profile"}) gallery.setting(key);
  gallery.index_sizes();
  gallery.check_integrity();
}

}  // namespace longshot::fuzz
