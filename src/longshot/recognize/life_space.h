// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "longshot/camera/camera.h"
#include "longshot/camera/person_images.h"
#include "longshot/feature/face_network.h"
#include "longshot/feature/gradient_orientations.h"
#include "longshot/feature/life_network.h"
#include "longshot/feature/life_table.h"
#include "longshot/recognize/model_state.h"

namespace longshot {

// Low-resolution images -> coordinates in which photographs of one person that were taken on
// different days differ by I, and people by diag(between()): what plda.h compares. They come of
// gradients, of the network, or of the face network that is installed, as the table says.
class LifeSpace {
 public:
  LifeSpace() = default;
  // For images of the geometry, with the entry of the table for their size. What a tight crop does
  // not show is taken to be as in the mean face. Throws Error if the table is of a face network and
  // none is installed, or one with other features.
  LifeSpace(const FaceGeometry& geometry, const LifeTable& table);

  // N x n -> d x n, of a camera's crops as corrected_crops() gives them. Networks see them as they
  // were before: they know tones of cameras and lights, and a correction would look to it like
  // a part of the face. A flat image has the coordinates 0.
  Matrix coordinates(const MatrixRef& images) const { return projected(features(images)); }
  // Of a person's photos. Networks also see the sharp photo, and what they say of both is added;
  // ours also sees their mirror images.
  Matrix coordinates(const PersonImages& person) const { return projected(features(person)); }

  // What the coordinates come of, D x n.
  Matrix features(const MatrixRef& images) const;
  Matrix features(const PersonImages& person) const;
  // The means of both, for a camera.
  FaceCentre centre(Vector crops, Vector people) const;
  // Of the mean of so many faces, in coordinates: what is likely to be more than chance.
  Vector trusted_centre(const Vector& mean, Index faces) const;
  // By how much the coordinates of a camera's crops are to be moved, so that their centre comes to
  // lie where the gallery's people are expected (docs/method.md, "Centred"). Empty: not at all.
  Vector move_of(const Camera& camera) const;
  // Coordinates of images, moved so; a flat one stays at 0.
  Matrix moved_coordinates(const MatrixRef& images, const Vector& move) const;
  Index pixels() const { return size_.pixels(); }
  const Vector& between() const { return between_; }

  void save(ModelState& state, const std::string& name) const;
  // Throws Error for a space of a network with other weights than those that are built in.
  static LifeSpace load(const ModelState& state, const std::string& name);

 private:
  void prepare();
  std::uint32_t checksum() const;  // of a network; 0 of gradients
  Matrix projected(const Matrix& features) const;
  // What the face network says; 0 of a flat image.
  Matrix seen(const MatrixRef& images, Size size, const Registration& registration) const;
  Index dimensions() const;  // of the features

  // What is kept of it.
  LifeFeatures kind_ = LifeFeatures::kGradients;
  GradientOptions options_;
  Size size_;
  Size high_;  // of the photos
  FaceFrame frame_;
  Registration registration_;
  Vector tone_;        // of the camera, or empty
  Matrix projection_;  // d x D
  Vector offset_;      // d
  Vector between_;     // d

  // Of these: gradients, the network for low and high resolution, or the face network.
  std::optional<GradientOrientations> gradients_;
  std::optional<LifeNetwork> network_;
  std::optional<LifeNetwork> sharp_network_;
  std::shared_ptr<const FaceNetwork> face_network_;
};

// Whether a face network is installed and crops are large enough for it: of fewer pixels it says
// less than it misleads.
bool has_face_network_for(Size size);

// Whether a model was made with other networks than there are now: with other weights, with a face
// network that is gone, or without the one that has been installed since and that suits the size.
// It must be learnt again, and its people enrolled again.
bool holds_other_network(const ModelState& state);

}  // namespace longshot
