// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "longshot/core/progress.h"
#include "longshot/face/face_intake.h"
#include "longshot/face/quality.h"
#include "longshot/gallery/gallery_store.h"

namespace longshot {

struct EnrolOptions {
  std::string person;  // whom all photos show; empty: as the inputs say
  bool force = false;  // enrol what the quality gate refuses, if there is a face at all
  QualityOptions quality;
  std::filesystem::path detector;  // a YuNet model; empty: the Haar cascades of the system

  void check() const;
};

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
