// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "longshot/core/error.h"
#include "longshot/gallery/gallery_store.h"

namespace longshot {

// For what cannot come from a gallery that is whole.
inline Error damaged(const std::string& name) {
  return {ErrorKind::damaged, "The gallery {} is damaged; restore it from a copy.", name};
}
inline Error damaged(const GalleryStore& gallery) {
  return damaged(gallery.path().string());
}

}  // namespace longshot
