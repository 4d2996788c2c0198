// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/image/degrade.h"
#include "longshot/image/image_io.h"
#include "longshot/relight/builtin_prior.h"
#include "longshot/relight/mean_face.h"
#include "longshot/relight/relight.h"

namespace longshot::v0 {
namespace {

v0::Light outer_light(LightDirection light) {
  return {light.azimuth, light.elevation};
}

// The face of a photo, in the frame of the crop that it is or in ours.
Face cut_out(const Picture& photo, longshot::Size size, const std::filesystem::path& detector) {
  IntakeOptions reading;
  reading.high = size;
  reading.detector = detector;
  const Input input = door::input_of(photo);
  if (input.aligned) reading.frame = *input.aligned;
  return FaceIntake(reading).face(input);
}

Image degraded(const Picture& picture, Size size, const DegradeRequest& request) {
  const Image image = request.face ? cut_out(picture, IntakeOptions().high, request.detector).image
                                   : door::image_of(picture);
  const Image small = longshot::degrade(image, door::inner(size), parse_operator(request.op));
  return add_noise(small, request.noise / 255.0, request.seed, true);
}

}  // namespace

std::vector<Light> parse_lights(std::string_view text) {
  std::vector<Light> lights;
  for (const LightDirection& light : longshot::parse_lights(text)) {
    lights.push_back(outer_light(light));
  }
  return lights;
}

Relit relight(const Picture& photo, const RelightRequest& request) {
  const auto work = [&] {
    const longshot::Size size = door::inner(request.size);
    const Face face = cut_out(photo, size, request.detector);
    RelightOptions options;
    options.mirroring = Mirroring::kNone;
    options.cast_shadows = true;
    options.ambient = request.ambient;
    options.lights = nine_points_of_light();
    if (!request.lights.empty()) options.lights.clear();
    for (const Light& light : request.lights) {
      options.lights.push_back({light.azimuth, light.elevation});
    }
    RelightModel model;
    model.normals = normals_of_shape(mean_face_shape(), face.frame, size);
    model.shape = mean_face_shape();
    model.prior = builtin_albedo_prior(face.frame, size);
    const Relighter relighter(std::move(model), options);
    const RelitSet set = relighter.relight(face.image);
    Relit relit;
    relit.face = door::outer(face.image);
    relit.albedo = door::outer(Image(set.albedo.albedo.reshaped(size.rows, size.cols)));
    for (Index k = 0; k < set.images.cols(); ++k) {
      relit.images.push_back(door::outer(Image(set.images.col(k).reshaped(size.rows, size.cols))));
      relit.lights.push_back(outer_light(relighter.labels()[static_cast<std::size_t>(k)].light));
    }
    relit.light = outer_light(light_direction(set.light.source));
    relit.strength = set.light.strength();
    relit.ambient = set.light.ambient;
    relit.source = {set.light.source.x(), set.light.source.y(), set.light.source.z()};
    relit.estimate = longshot::to_string(set.light.reason);
    const ColorImage normals = normals_as_color(relighter.model().normals);
    relit.normals = {door::outer(normals.red), door::outer(normals.green),
                     door::outer(normals.blue)};
    return relit;
  };
  return door::translated(work);
}

Plane degrade(const Picture& picture, Size size, const DegradeRequest& request) {
  return door::translated([&] { return door::outer(degraded(picture, size, request)); });
}

void write_degraded(const std::filesystem::path& path, const Picture& picture, Size size,
                    const DegradeRequest& request) {
  door::translated([&] { write_image(path, degraded(picture, size, request)); });
}

}  // namespace longshot::v0
