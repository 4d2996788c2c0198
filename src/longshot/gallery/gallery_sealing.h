// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "longshot/gallery/gallery_key.h"

namespace longshot {

// Writes a gallery anew, encrypted with `to`, or not if there is none; `from` is the key that it
// has now, or none. The new file is read once and takes the place of the old one, whose bytes are
// overwritten; killed at any moment, one of them is there, whole. Throws Error, and nothing has
// changed, if another program has the gallery open.
void rewrite_gallery(const std::filesystem::path& path, const GalleryKey::Shared& from,
                     const GalleryKey::Shared& to);

// Another key opens the gallery, and the old one no longer, while others go on using it. The pages
// stay as they are: who has both a copy of the old file and its key can read the new one.
void change_gallery_key(const std::filesystem::path& path, const GalleryKey::Shared& from,
                        const GalleryKey::Shared& to);

}  // namespace longshot
