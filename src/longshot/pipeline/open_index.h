// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "longshot/pipeline/gallery_index.h"

namespace longshot {

// An index in memory as it was at one revision of the gallery. It never changes, so any number of
// threads search it at once; what comes after it shares the people that stayed as they were.
struct OpenIndex {
  std::int64_t revision = 0;      // of the gallery
  std::int64_t number = 0;        // of the index, see GalleryStore::find_index()
  std::vector<PhotosMark> marks;  // of the people of the block, in their order
  IndexBlock block;               // without a searcher: too large, read it with for_each_block()
};

// The index as `gallery` shows it, made from `before` (of the same model, or null) by reading the
// changed people only. Throws Error if there is none although people are enrolled. Hold a
// GallerySnapshot meanwhile.
std::shared_ptr<const OpenIndex> open_index(const GalleryStore& gallery, const GalleryModel& model,
                                            const std::shared_ptr<const OpenIndex>& before);

}  // namespace longshot
