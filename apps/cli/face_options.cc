// SPDX-License-Identifier: Apache-2.0
#include "face_options.h"

#include <array>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "longshot/error.h"

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
      throw Error(
          ErrorKind::bad_input,
          fmt::format("{} needs four numbers separated by commas, not \"{}\".", option, text));
    }
    at = next + 1;
  }
  return values;
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

std::vector<v0::Picture> load_pictures(const std::vector<std::string>& paths, v0::Purpose purpose,
                                       const FaceArguments& arguments, v0::PersonFrom from) {
  std::vector<v0::Picture> pictures =
      v0::load({paths.begin(), paths.end()}, purpose, v0::Unusable::keep, from).pictures;
  if ((!arguments.eyes.empty() || !arguments.box.empty()) && pictures.size() != 1) {
    throw Error(
        ErrorKind::bad_input,
        fmt::format("--eyes and --box are for a single image, but there are {}.", pictures.size()));
  }
  if (!arguments.eyes.empty()) {
    const std::array<double, 4> e = four_numbers(arguments.eyes, "--eyes");
    pictures[0].eyes = v0::Eyes{{e[0], e[1]}, {e[2], e[3]}};
  }
  if (!arguments.box.empty()) {
    const std::array<double, 4> b = four_numbers(arguments.box, "--box");
    pictures[0].box = v0::Box{b[0], b[1], b[2], b[3]};
  }
  for (v0::Picture& picture : pictures) picture.aligned = arguments.aligned;
  return pictures;
}

}  // namespace longshot::cli
