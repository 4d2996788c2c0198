// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests: a folder with photos of synthetic people, and a gallery made from them.

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "longshot/gallery/gallery_store.h"
#include "longshot/image/degrade.h"
#include "longshot/image/image_io.h"
#include "longshot/pipeline/enroller.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {

class SmallGallery : public testing::Test {
 protected:
  SmallGallery()
      : folder_(std::filesystem::path(testing::TempDir()) /
                fmt::format("small_gallery_{}", getpid())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~SmallGallery() override { std::filesystem::remove_all(folder_); }

  // A face of person number `person`: photo 0 is lit from the front, the others from anywhere.
  static Image face(Index person, std::uint64_t photo) {
    SyntheticPhotoOptions options;
    if (photo == 0) options.lighting = frontal_lighting();
    return take_photo(make_person(3, person), options, photo).image;
  }
  static std::string name(Index person) { return fmt::format("person_{}", person); }

  // Writes the picture, an aligned crop, and gives it as an input.
  Input input(const std::string& file, const Image& image, const std::string& subject = "") {
    const std::filesystem::path path = folder_ / file;
    std::filesystem::create_directories(path.parent_path());
    write_image(path, image);
    Input made;
    made.path = path.string();
    made.sample.path = path;
    made.sample.subject = subject;
    made.aligned = FaceFrame();
    return made;
  }
  Input photo(Index person, std::uint64_t number = 0) {
    return input(fmt::format("{}/{}.png", name(person), number), face(person, number),
                 name(person));
  }
  Input probe(Index person, std::uint64_t number, Size size = {12, 10}) {
    return input(fmt::format("probes/{}_{}.png", person, number),
                 degrade(face(person, number), size));
  }

  GalleryStore make_gallery(Index people) {
    GalleryStore gallery(folder_ / "people.gallery", GalleryStore::Access::kCreate);
    write_setup(gallery, {});
    std::vector<Input> photos;
    for (Index i = 0; i < people; ++i) photos.push_back(photo(i));
    EnrolOptions options;
    options.force = true;  // the gate has tests of its own
    if (people > 0) enrol(gallery, photos, options);
    return gallery;
  }

  std::filesystem::path folder_;
};

}  // namespace longshot
