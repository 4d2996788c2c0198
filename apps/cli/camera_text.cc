// SPDX-License-Identifier: Apache-2.0
#include "camera_text.h"

#include <fmt/format.h>

#include "terminal_text.h"

namespace longshot::cli {

bool names_a_camera(const std::string& argument) {
  return !argument.empty() && argument != "auto" && argument != "none";
}

void report_cameras(const std::vector<v0::Camera>& cameras) {
  for (const v0::Camera& camera : cameras) {
    const std::string begin =
        fmt::format("camera at {}, from {} crops: ", to_string(camera.size()), camera.crops());
    const v0::CameraFigures figures = camera.figures();
    std::string centred =
        figures.faces > 0 ? fmt::format("; centred on {} faces", figures.faces) : "";
    if (figures.days == "same") centred += ", as of the gallery's day";
    if (figures.days == "other") centred += ", as of another day than the gallery's";
    if (!camera.learnt()) {
      print_message(begin + "no one camera explains them clearly better, none is used" + centred);
      continue;
    }
    const std::string few =
        camera.crops() < kEnoughCrops
            ? fmt::format("; warning: fewer than {} crops say little", kEnoughCrops)
            : "";
    print_message(fmt::format(
        "{}blur {:.2f} (+-{:.2f}) pixels, noise {:.1f} % of the mean brightness{}{}; "
        "--camera none does without",
        begin, figures.blur.value, figures.blur.deviation, 100.0 * figures.noise, centred, few));
  }
}

}  // namespace longshot::cli
