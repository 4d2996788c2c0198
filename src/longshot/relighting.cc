// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/image/degrade.h"
#include "longshot/relight/builtin_prior.h"
#include "longshot/relight/mean_face.h"
#include "longshot/relight/relight.h"

namespace longshot::v0 {
namespace {

v0::Light outer_light(LightDirection light) {
  return {light.azimuth, light.elevation};
}

}  // namespace

Relit relight(const Picture& photo, const RelightRequest& request) {
  const auto work = [&] {
    const longshot::Size size = door::inner(request.size);
    IntakeOptions reading;
    reading.high = size;
    reading.detector = request.detector;
    const Input input = door::input_of(photo);
    if (input.aligned) reading.frame = *input.aligned;
    const Face face = FaceIntake(reading).face(input);
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
    return relit;
  };
  return door::translated(work);
}

Plane degrade(const Picture& picture, Size size, const DegradeRequest& request) {
  return door::translated([&] {
    const Image small =
        longshot::degrade(door::image_of(picture), door::inner(size), parse_operator(request.op));
    return door::outer(add_noise(small, request.noise / 255.0, request.seed, true));
  });
}

}  // namespace longshot::v0
