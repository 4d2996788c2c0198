// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "longshot/core/progress.h"
#include "longshot/gallery/gallery_key.h"

namespace longshot {

// Writes all files of a folder of shards anew, encrypted with `to`, or not if there is none; `from`
// is the key that they have now, or none. With both keys and without `full`, other keys open the
// same pages (gallery_sealing.h).
//
// Each file is changed as a gallery of its own is, one after the other. Killed at any moment every
// file is whole and has one of the two keys; the folder is refused until the same call, or the one
// back, has come to its end. Throws Error, and nothing has changed, if another program has the
// folder open, a file opens with neither key, or an enrolment was not finished whose names the
// manifest keeps.
void reseal_shards(const std::filesystem::path& folder, const GalleryKey::Shared& from,
                   const GalleryKey::Shared& to, bool full, Progress& progress = no_progress());

// Whether the key, or its absence, opens that file.
bool opens_with(const std::filesystem::path& file, const GalleryKey::Shared& key);

}  // namespace longshot
