// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "longshot/core/progress.h"
#include "longshot/gallery/gallery.h"
#include "longshot/pipeline/face_intake.h"
#include "longshot/pipeline/search_session.h"

namespace longshot {

struct VerifyOptions {
  std::string method = kDefaultMethod;  // as in method_names()
  std::optional<Size> size;             // of the probe; nothing: what its pixels fill
  double fmr = 0.001;                   // accepted rate of false matches, 0 to 1
  std::filesystem::path detector;       // a YuNet model; empty: the Haar cascades of the system

  void check() const;
};

struct Verification {
  std::string person;
  bool match = false;
  double score = 0.0;  // probability of being that person, if as many claims are true as false
  Size size;           // at which they were compared
  Index frames = 0;    // images behind the answer
  std::vector<Rejection> rejections;
};

// Do these images, all of one person, show that one? Throws Error if nobody has that name or none
// of the images can be used.
Verification verify(Gallery& gallery, const std::vector<Input>& inputs, const std::string& person,
                    const VerifyOptions& options = {}, Progress& progress = no_progress());

}  // namespace longshot
