// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/gallery_store.h"

#include "../read_gallery.h"
#include "../target.h"

namespace longshot::fuzz {
namespace {

// The bytes are the file.
void read_any_gallery(std::string_view bytes) {
  read_gallery(GalleryStore(file_of(bytes, "people.gallery"), GalleryStore::Access::kRead));
}

const Registered gallery_pages("gallery_pages", read_any_gallery);

}  // namespace
}  // namespace longshot::fuzz
