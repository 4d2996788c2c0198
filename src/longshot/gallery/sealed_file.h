// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "longshot/gallery/gallery_key.h"

namespace longshot {

// Bytes of any kind, such as a model, a camera, a report or an export, sealed as a whole with the
// key of a user (docs/formats.md): without it nothing but their number can be seen, and none of
// them can be changed, moved or cut off unnoticed.
std::string seal_bytes(std::string_view bytes, const GalleryKey& key);

// Throws Error, naming `name`, for another key, for bytes that are not sealed, of a newer version,
// or damaged.
std::string unseal_bytes(std::string_view sealed, const GalleryKey& key, std::string_view name);

}  // namespace longshot
