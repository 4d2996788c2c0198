// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "longshot/camera/camera.h"
#include "longshot/core/progress.h"
#include "longshot/face/face_intake.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/gallery_people.h"

namespace longshot {

// Galleries with more people learn no camera by themselves: each takes an index of all of them.
inline constexpr Index kMostPeopleOfCamera = 20000;

// Learns the camera of crops (pixels of `size` x n) of whomever they show, compared with the photos
// of the gallery; it is none where the gallery's own operator explains them as well. Of fewer than
// kFewestPeople crops or enrolled people no mean face is kept. Nothing where it is not tried: the
// crops are fewer than kFewestCameraCrops, the gallery is write-protected, holds templates only or
// more than kMostPeopleOfCamera people.
std::optional<Camera> learn_camera(const GalleryPeople& people, Size size, const MatrixRef& crops,
                                   Progress& progress = no_progress());

struct CameraLearnOptions {
  std::optional<Size> size;        // of the crops; nothing: search_size()
  std::filesystem::path detector;  // a YuNet model; empty: the Haar cascades of the system
};

struct CameraReport {
  Camera camera;
  Index other_sizes = 0;  // crops that were left out because they fill another size
  std::vector<Rejection> rejections;
  // For a picture: the mean face of the gallery under many lights, sharp and through the camera,
  // and the mean crop.
  Image mean_face;     // high resolution
  Image mean_through;  // of the camera's size, like the next
  Image mean_crop;
};

// Throws Error if nobody is enrolled or no crop can be used.
CameraReport learn_camera_of(const GalleryStore& gallery, const std::vector<Input>& inputs,
                             const CameraLearnOptions& options = {},
                             Progress& progress = no_progress());

// The means beside each other and the difference of the last two, on one scale, enlarged.
Image camera_sheet(const CameraReport& report);

}  // namespace longshot
