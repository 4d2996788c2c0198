// SPDX-License-Identifier: Apache-2.0
#include "longshot/comparison.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "longshot/camera/person_images.h"
#include "longshot/face/size_ladder.h"
#include "longshot/gallery/folder_lock.h"
#include "longshot/image/degrade.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/pipeline/search_session.h"
#include "longshot/relight/builtin_prior.h"
#include "longshot/relight/mean_face.h"
#include "longshot/relight/relight.h"

namespace longshot::door {
namespace {

const longshot::Photo& chosen_photo(const std::vector<longshot::Photo>& photos, PhotoId id) {
  for (const longshot::Photo& photo : photos) {
    if (id == 0 || photo.id == id) return photo;
  }
  throw Error(ErrorKind::not_found, "That person has no photo {}.", id);
}

longshot::Size size_for(const Image& probe, longshot::Size high,
                        const std::optional<v0::Size>& stated) {
  const std::vector<longshot::Size> ladder = size_ladder(high);
  const std::optional<longshot::Size> size =
      stated ? inner(stated) : ladder_step(size_of(probe), ladder);
  if (!size) throw Error("{}", too_small(size_of(probe), ladder));
  check_probe_size(*size, high);
  return *size;
}

RelightModel relight_model(const GallerySetup& setup) {
  RelightModel model;
  model.normals = normals_of_shape(mean_face_shape(), setup.frame, setup.high);
  model.shape = mean_face_shape();
  model.prior = builtin_albedo_prior(setup.frame, setup.high);
  return model;
}

// The image with the mean and the contrast of another one: exposure says nothing about a person.
Image exposed_like(const Image& image, const Image& other) {
  const auto deviation = [](const Image& of) {
    return std::sqrt((of.array() - of.mean()).square().mean());
  };
  const double contrast = deviation(image);
  const double factor = contrast > 1e-9 ? deviation(other) / contrast : 1.0;
  return (image.array() - image.mean()) * factor + other.mean();
}

}  // namespace

v0::Plane kept_face(const std::vector<longshot::Photo>& photos, PhotoId photo) {
  const longshot::Photo& kept = chosen_photo(photos, photo);
  return outer(Image(face_of(kept).reshaped(kept.rows, kept.cols)));
}

std::vector<std::vector<std::size_t>> answers_about(const std::vector<v0::Picture>& pictures,
                                                    const std::vector<v0::Answer>& answers,
                                                    bool fuse_folders) {
  std::vector<std::size_t> stills;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].track == 0) stills.push_back(i);
  }
  std::vector<std::vector<std::size_t>> about(pictures.size());
  for (std::size_t p = 0; p < pictures.size(); ++p) {
    if (!fuse_folders && stills.size() == pictures.size()) {
      about[p].push_back(stills[p]);
      continue;
    }
    const std::string& own = pictures[p].name;
    const std::string name = fuse_folders ? folder_of(own).string() : own;
    std::ranges::copy_if(stills, std::back_inserter(about[p]),
                         [&](std::size_t i) { return answers[i].name == name; });
  }
  return about;
}

std::optional<v0::Camera> camera_for(v0::Size size, const v0::Answers& answers,
                                     const v0::IdentifyOptions& options) {
  if (options.camera) return options.camera;
  for (const v0::Camera& camera : answers.cameras) {
    if (camera.size() == size) return camera;
  }
  return std::nullopt;
}

v0::Comparison compared(const GalleryStore& gallery, const std::vector<longshot::Photo>& photos,
                        const v0::Picture& probe, const v0::CompareOptions& options) {
  const GallerySetup setup = setup_of(gallery);
  require_photos(gallery);
  const longshot::Photo& photo = chosen_photo(photos, options.photo);
  const Image face = face_of(photo).reshaped(setup.high.rows, setup.high.cols);
  FaceIntake intake(intake_for(gallery, options.detector));
  const Image seen = intake.probe(input_of(probe));
  const longshot::Size size = size_for(seen, setup.high, options.size);
  const Image small = at_size(seen, size);

  // The light of the probe, from the same pixels on the grid of the photos.
  const RelightModel model = relight_model(setup);
  RelightOptions relighting = best_profile();
  const LightEstimate light =
      Relighter(model, relighting).estimate_light(degrade(small, setup.high));
  relighting.lights = {light_direction(light.source)};
  relighting.mirroring = Mirroring::kNone;
  relighting.keep_original = false;
  const RelitSet relit = Relighter(model, relighting).relight(face);

  FaceGeometry geometry{setup.frame, setup.high, size, setup.op};
  if (options.camera) geometry = through_camera(geometry, options.camera->value().camera);
  const Image through = exposed_like(
      seen_by_camera(relit.images.col(0), geometry, geometry.op).reshaped(size.rows, size.cols),
      small);
  v0::Comparison comparison;
  comparison.photo = outer(face);
  comparison.relit = outer(Image(relit.images.col(0).reshaped(setup.high.rows, setup.high.cols)));
  comparison.through = outer(through);
  comparison.probe = outer(small);
  comparison.difference = outer(Image(small - through));
  comparison.azimuth = relighting.lights[0].azimuth;
  comparison.elevation = relighting.lights[0].elevation;
  return comparison;
}

}  // namespace longshot::door
