// SPDX-License-Identifier: Apache-2.0
#pragma once

// The work behind Gallery::compare. Not installed.

#include <cstddef>
#include <optional>
#include <vector>

#include "longshot/door.h"
#include "longshot/gallery/gallery_store.h"

namespace longshot::door {

// The face of a photo of a person, as the gallery keeps it. Throws Error if there is no such photo.
v0::Plane kept_face(const std::vector<longshot::Photo>& photos, PhotoId photo);

// A probe beside what one of a person's photos predicts, with the settings of their gallery. Throws
// Error if there is no such photo.
v0::Comparison compared(const GalleryStore& gallery, const std::vector<longshot::Photo>& photos,
                        const v0::Picture& probe, const v0::CompareOptions& options);

// Which of the answers are about each picture, in their order: several where it shows several
// faces, and where folders are joined that of its folder. Tracks of clips are about none.
std::vector<std::vector<std::size_t>> answers_about(const std::vector<v0::Picture>& pictures,
                                                    const std::vector<v0::Answer>& answers,
                                                    bool fuse_folders);

// The camera through which answers of that size were given, if there was one.
std::optional<v0::Camera> camera_for(v0::Size size, const v0::Answers& answers,
                                     const v0::IdentifyOptions& options);

}  // namespace longshot::door
