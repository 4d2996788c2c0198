// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "longshot/camera/simulated_camera.h"
#include "longshot/core/check.h"
#include "longshot/core/error.h"
#include "longshot/evaluate/experiment.h"

namespace longshot {

void ExperimentOptions::check() const {
  if (methods.empty()) throw Error("At least one method is needed.");
  for (const auto& [name, make] : own_methods) {
    const std::vector<std::string>& known = method_names();
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      throw Error("\"{}\" is the name of a built-in method.", name);
    }
    if (std::find(methods.begin(), methods.end(), name) == methods.end()) {
      throw Error("The method \"{}\" is not among those to try.", name);
    }
  }
  for (const std::string& name : methods) make_method(name);
  if (noise.empty()) throw Error("At least one noise level is needed; 0 for none.");
  for (const double level : noise) {
    if (!(level >= 0.0 && level <= 255.0)) {
      throw Error("noise must be from 0 to 255 grey levels, not {}.", level);
    }
  }
  if (simulated_cameras < 0) {
    throw Error("simulated_cameras must be 0 or more, not {}.", simulated_cameras);
  }
  gentler_range(camera_harm);  // checks it
  if (simulated_cameras > 0 && (sizes.empty() || probe_op)) {
    throw Error("Simulated cameras need stated sizes and bring no operator of the probes.");
  }
  if (know_camera && simulated_cameras == 0) {
    throw Error("Only simulated cameras are known.");
  }
  check_range("fpir", "an experiment", fpir, 0.0, 1.0);
  if (!(jitter >= 0.0)) throw Error("jitter must be 0 or more pixels, not {}.", jitter);
  reading.check();
}

std::unique_ptr<Recognizer> ExperimentOptions::make_method(const std::string& name) const {
  const auto own = own_methods.find(name);
  return own == own_methods.end() ? make_recognizer(name, method) : own->second();
}

}  // namespace longshot
