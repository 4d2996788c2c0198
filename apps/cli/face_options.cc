// SPDX-License-Identifier: Apache-2.0
#include "face_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "longshot/error.h"

#include "terminal_text.h"

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

constexpr const char* kStandardInput = "-";
constexpr std::size_t kMostBytes = std::size_t{256} << 20;  // as of a file

v0::Picture picture_on_standard_input() {
  std::string bytes;
  std::array<char, 65536> piece{};
  for (std::size_t got = 0; (got = std::fread(piece.data(), 1, piece.size(), stdin)) > 0;) {
    bytes.append(piece.data(), got);
    if (bytes.size() > kMostBytes) {
      throw Error(ErrorKind::bad_input, "The image on standard input holds more than 256 MB.");
    }
  }
  if (bytes.empty()) throw Error(ErrorKind::bad_input, "There is no image on standard input.");
  return v0::Picture::encoded(std::move(bytes), kStandardInput);
}

// In one line: notes beside photos are no mistake, but a photo under an odd name may be among them.
void report_passed_over(const std::vector<std::filesystem::path>& files) {
  constexpr std::ptrdiff_t kNamed = 5;
  if (files.empty()) return;
  std::string names;
  for (std::ptrdiff_t i = 0; i < std::min(kNamed, std::ssize(files)); ++i) {
    names += (i == 0 ? "" : ", ") + files[static_cast<std::size_t>(i)].string();
  }
  if (std::ssize(files) > kNamed)
    names += " and " + counted(std::ssize(files) - kNamed, "other", "others");
  print_message(fmt::format(
      "{} by name and passed over: {}",
      counted(std::ssize(files), "file is no picture", "files are no pictures"), names));
}

// The pictures of files and folders; "-" is one on standard input, which comes first.
std::vector<v0::Picture> pictures_at(const std::vector<std::string>& paths, v0::Purpose purpose,
                                     v0::PersonFrom from) {
  std::vector<std::filesystem::path> files;
  std::vector<v0::Picture> pictures;
  for (const std::string& path : paths) {
    if (path != kStandardInput) {
      files.emplace_back(path);
    } else if (pictures.empty()) {
      pictures.push_back(picture_on_standard_input());
    } else {
      throw Error(ErrorKind::bad_input, "Standard input holds one image: name - only once.");
    }
  }
  if (files.empty()) return pictures;
  const v0::PictureList list = v0::load(files, purpose, v0::Unusable::keep, from);
  report_passed_over(list.passed_over);
  pictures.insert(pictures.end(), list.pictures.begin(), list.pictures.end());
  return pictures;
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
  std::vector<v0::Picture> pictures = pictures_at(paths, purpose, from);
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
