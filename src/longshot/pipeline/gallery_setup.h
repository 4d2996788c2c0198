// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "longshot/decide/background.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/image/degrade.h"
#include "longshot/image/face_frame.h"
#include "longshot/pipeline/training_faces.h"
#include "longshot/recognize/method.h"

namespace longshot {

// What all faces of a gallery have in common; fixed when it is made.
struct GallerySetup {
  FaceFrame frame;
  Size high = {48, 40};
  DegradeOperator op;  // how photos are brought down to the size of a probe
  Profile profile = Profile::kBest;

  // Throws Error, naming the field, for what cannot be.
  void check() const;
};

// Nothing for a gallery without one, that is one that was just made.
std::optional<GallerySetup> find_setup(const GalleryStore& gallery);
// Throws Error where find_setup() gives nothing.
GallerySetup setup_of(const GalleryStore& gallery);
void write_setup(GalleryStore& gallery, const GallerySetup& setup);

// Whether it was exported without photos: it is searched as it is, and nothing can be learnt from
// its people or about new ones.
bool holds_templates_only(const GalleryStore& gallery);
void mark_templates_only(GalleryStore& gallery);
// Throws Error if it does.
void require_photos(const GalleryStore& gallery);

// Throws Error unless probes of that size can be searched in a gallery of faces of size `high`.
void check_probe_size(Size probe, Size high);

// The training people of the gallery, or nothing. They are decoded once for all who hold them.
std::shared_ptr<const TrainingFaces> find_training(const GalleryStore& gallery);
// Throws Error unless their frame and size are the gallery's. Forgets what was learnt without them.
void set_training(GalleryStore& gallery, const TrainingFaces& faces);

// Those who stand beside the enrolled people: the training people of the gallery, or synthetic
// ones.
Background background_of(const GalleryStore& gallery, BackgroundParts parts);

// The keys of the recognisers that were learnt.
std::vector<std::string> recognizer_keys(const GalleryStore& gallery);
// Forgets all recognisers and indexes: they are learnt anew when they are next needed.
void forget_models(GalleryStore& gallery);

// The face of a photo, pixels x 1, and back.
Vector face_of(const Photo& photo);
Photo photo_of(const Image& face);

}  // namespace longshot
