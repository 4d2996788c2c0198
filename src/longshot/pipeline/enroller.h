// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "longshot/core/progress.h"
#include "longshot/face/face_intake.h"
#include "longshot/face/quality.h"
#include "longshot/gallery/gallery_store.h"

namespace longshot {

// What one transaction of enrolling holds.
struct EnrolBatch {
  std::size_t first = 0;  // of its inputs
  std::size_t count = 0;
  std::vector<std::string> people;  // with a new photo, sorted
  Index photos = 0;                 // new ones
};

struct EnrolOptions {
  std::string person;  // whom all photos show; empty: as the inputs say
  bool force = false;  // enrol what the quality gate refuses, if there is a face at all
  QualityOptions quality;
  std::filesystem::path detector;  // a YuNet model; empty: the Haar cascades of the system
  // Called in every transaction, before it is committed; what it throws takes that back.
  std::function<void(const EnrolBatch& batch)> before_commit = {};

  void check() const;
};

// A photo that may be enrolled, or why not.
struct Examined {
  std::optional<Photo> photo;
  std::string problem;
  std::vector<std::string> remarks;
};
Examined examine(const Input& input, FaceIntake& intake, const EnrolOptions& options);

struct EnrolReport {
  Index people = 0;                   // new ones
  Index photos = 0;                   // new ones
  std::vector<Rejection> rejections;  // photos that were left out, in their order
  std::vector<Rejection> warnings;    // photos that were enrolled although something is amiss
};

// Adds the faces of the inputs to the gallery, which must have a setup: new people, or photos of
// people who are there. All indexes of the gallery are extended in the same transactions, one for
// every few hundred photos. A photo that is already there is always refused.
EnrolReport enrol(GalleryStore& gallery, const std::vector<Input>& inputs,
                  const EnrolOptions& options = {}, Progress& progress = no_progress());

}  // namespace longshot
