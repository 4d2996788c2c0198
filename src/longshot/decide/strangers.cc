// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/strangers.h"

#include <algorithm>

#include "longshot/core/parallel.h"
#include "longshot/core/random.h"

namespace longshot {
namespace {

constexpr Index kMostStrangers = 1000;

}  // namespace

Matrix as_probes(const Extender& extender, const MatrixRef& photos) {
  const FaceGeometry& geometry = extender.geometry();
  Matrix probes = extender.degrade(photos);
  if (geometry.noise == 0.0) return probes;
  parallel_for(photos.cols(), [&](Index i) {
    Random random(2, static_cast<std::uint64_t>(i));
    const auto within = [&](double deviation) { return deviation * random.normal(); };
    const Registration moved = {within(geometry.error.shift), within(geometry.error.shift),
                                within(geometry.error.log_scale), within(geometry.error.log_scale)};
    Vector probe = seen_by_camera(photos.col(i), geometry, geometry.op, moved);
    const double sigma = geometry.noise * probe.mean();
    for (double& value : probe) value = std::max(0.0, value + sigma * random.normal());
    probes.col(i) = probe;
  });
  return probes;
}

Strangers background_strangers(const Extender& extender, const Background& background) {
  Strangers strangers;
  strangers.probes = as_probes(extender, background.probes);
  strangers.background = background.owners;
  strangers.person.assign(background.owners.size(), -1);
  return strangers;
}

Strangers enrolled_strangers(const Extender& extender, const Crowd& crowd) {
  Strangers strangers;
  strangers.person = crowd.some(kMostStrangers);
  strangers.probes = as_probes(extender, crowd.photos(strangers.person));
  strangers.background.assign(strangers.person.size(), -1);
  return strangers;
}

}  // namespace longshot
