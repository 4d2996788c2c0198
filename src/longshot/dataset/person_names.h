// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "longshot/dataset/dataset.h"

namespace longshot {

// What says whom a photo shows.
enum class PersonFrom {
  kAuto,     // the layout of the data set
  kFolder,   // the folder that holds the photo
  kStem,     // the name of its file: "person.jpg", "person_2.jpg"
  kManifest  // the manifest, which there must be
};

// Gives the samples that were loaded from `path` their subjects. With kAuto photos that only the
// names of their files could tell apart, where these are numbers or such as cameras give (00.jpg,
// IMG_2042.jpg), are hardly people: they are rejections, and if that is all of them an Error.
void name_people(Dataset& dataset, const std::filesystem::path& path, PersonFrom from);

}  // namespace longshot
