// SPDX-License-Identifier: Apache-2.0
#include "face_options.h"

#include <array>
#include <charconv>
#include <string_view>

#include "longshot/core/error.h"
#include "longshot/image/image_io.h"
#include "longshot/pipeline/face_intake.h"

namespace longshot::cli {
namespace {

std::array<double, 4> four_numbers(std::string_view text, const char* option) {
  std::array<double, 4> values{};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, values[i]);
    const bool last = i + 1 == values.size();
    if (error != std::errc() || (last ? next != end : next == end || *next != ',')) {
      throw Error("{} needs four numbers separated by commas, not \"{}\".", option, text);
    }
    at = next + 1;
  }
  return values;
}

// The crop as it is; stated eyes only say where they are in it.
FaceFrame crop_frame(const std::filesystem::path& path, const std::optional<Eyes>& eyes,
                     const ReadLimits& limits) {
  const Size size = size_of(read_image(path, limits));
  const auto width = static_cast<double>(size.cols);
  const auto height = static_cast<double>(size.rows);
  FaceFrame frame;
  frame.aspect = height / width;
  if (eyes) {
    frame.eyes = {{eyes->left.x / width, eyes->left.y / height},
                  {eyes->right.x / width, eyes->right.y / height}};
  }
  frame.check();
  return frame;
}

}  // namespace

void add_face_options(CLI::App& command, FaceArguments& arguments) {
  command.add_option("--eyes", arguments.eyes,
                     "Eye centres of a single image, pixels: lx,ly,rx,ry");
  command.add_option("--box", arguments.box, "Face box of a single image, pixels: x,y,w,h");
  command.add_flag("--aligned", arguments.aligned, "The image is the face crop as it is");
  command.add_option("--detector", arguments.detector,
                     "YuNet model (.onnx); default: the system's Haar cascades");
}

void apply_face_options(const FaceArguments& arguments, Dataset& dataset,
                        FaceReadOptions& options) {
  options.detector = arguments.detector;
  if ((!arguments.eyes.empty() || !arguments.box.empty()) && dataset.samples.size() != 1) {
    throw Error("--eyes and --box are for a single image, but there are {}.",
                dataset.samples.size());
  }
  if (!arguments.eyes.empty()) {
    const std::array<double, 4> e = four_numbers(arguments.eyes, "--eyes");
    dataset.samples[0].eyes = Eyes{{e[0], e[1]}, {e[2], e[3]}};
  }
  if (!arguments.box.empty()) {
    const std::array<double, 4> b = four_numbers(arguments.box, "--box");
    dataset.samples[0].box = Box{b[0], b[1], b[2], b[3]};
  }
  if (arguments.aligned) {
    options.aligned = crop_frame(dataset.samples[0].path, dataset.samples[0].eyes, options.limits);
  }
}

std::vector<Dataset> load_face_inputs(const std::vector<std::string>& paths,
                                      const FaceArguments& arguments) {
  std::vector<Dataset> datasets = load_inputs({paths.begin(), paths.end()});
  if ((!arguments.eyes.empty() || !arguments.box.empty()) && datasets.size() != 1) {
    throw Error("--eyes and --box are for a single image, but there are several.");
  }
  for (Dataset& dataset : datasets) {
    if (dataset.samples.empty()) continue;
    FaceReadOptions stated;
    apply_face_options(arguments, dataset, stated);
    if (stated.aligned) dataset.aligned = stated.aligned;
  }
  return datasets;
}

}  // namespace longshot::cli
