// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "longshot/core/progress.h"
#include "longshot/dataset/dataset.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {

struct SyntheticSetOptions {
  Index people = 100;      // 1 to 1,000,000
  Index photos = 5;        // per person, 1 to 1000
  Size size = {240, 200};  // of a photo, 44x37 at least
  std::uint64_t seed = 1;  // of the population
  Index training = 0;      // more people, of the role train, after those; 0 to 1,000,000

  void check() const;
};

// A frame for a portrait: head, hair and neck in the middle of a picture of that size.
FaceFrame portrait_frame(Size size);

// How the photos of a set are taken: portraits that are not aligned, under random lights. The
// first photo of a person has frontal light.
SyntheticPhotoOptions portrait_options(const SyntheticSetOptions& options, Index photo);

// Writes folder/person_00000/00.png, ..., and folder/manifest.csv with the eyes, the first photo of
// each person for the gallery and the others as probes, or all to train. Overwrites files of the
// same names and deletes nothing. Returns the samples of the manifest.
std::vector<Sample> write_synthetic_set(const std::filesystem::path& folder,
                                        const SyntheticSetOptions& options,
                                        Progress& progress = no_progress());

}  // namespace longshot
