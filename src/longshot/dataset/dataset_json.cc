// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/dataset_json.h"

#include <nlohmann/json.hpp>

#include "longshot/core/error.h"
#include "longshot/core/file.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uintmax_t kMostJsonBytes = 1 << 20;
constexpr int kLevelsAbove = 2;

json parse(const fs::path& file) {
  const std::string text = read_file(file, kMostJsonBytes);
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    throw Error("{} is not valid JSON: there is a mistake near byte {}.", file.string(),
                error.byte);
  } catch (const json::exception&) {
    throw Error("{} is not valid JSON: a number in it is out of range.", file.string());
  }
}

FaceFrame frame_from(const json& document, const fs::path& file) {
  FaceFrame frame;
  if (const auto eyes = document.find("eyes"); eyes != document.end()) {
    const bool four_numbers = eyes->is_array() && eyes->size() == 4 &&
                              std::all_of(eyes->begin(), eyes->end(),
                                          [](const json& value) { return value.is_number(); });
    if (!four_numbers) {
      throw Error("{}: \"eyes\" must be four numbers, [left x, left y, right x, right y].",
                  file.string());
    }
    const json& e = *eyes;
    frame.eyes = {{e[0].get<double>(), e[1].get<double>()},
                  {e[2].get<double>(), e[3].get<double>()}};
  }
  const auto aspect = document.find("aspect");
  if (aspect != document.end() && !aspect->is_number()) {
    throw Error("{}: \"aspect\" must be a number, height over width.", file.string());
  }
  if (aspect != document.end()) frame.aspect = aspect->get<double>();
  try {
    frame.check();
  } catch (const Error& error) {
    throw Error("{}: {}", file.string(), error.what());
  }
  if (aspect == document.end()) frame.aspect = kSquarePixels;
  return frame;
}

}  // namespace

std::optional<FaceFrame> read_dataset_json(const fs::path& file) {
  const json document = parse(file);
  if (!document.is_object()) {
    throw Error("{} must hold a JSON object such as {{\"aligned\": true}}.", file.string());
  }
  const auto aligned = document.find("aligned");
  if (aligned == document.end() || !aligned->is_boolean()) {
    throw Error("{} must say \"aligned\": true or false.", file.string());
  }
  if (!aligned->get<bool>()) return std::nullopt;
  return frame_from(document, file);
}

std::optional<FaceFrame> aligned_frame(const fs::path& folder,
                                       const std::optional<FaceFrame>& otherwise) {
  fs::path place = fs::absolute(folder).lexically_normal();
  if (!place.has_filename()) place = place.parent_path();
  for (int level = 0; level <= kLevelsAbove; ++level) {
    std::error_code ignored;
    const fs::path file = place / "dataset.json";
    if (fs::is_regular_file(file, ignored)) return read_dataset_json(file);
    if (place == place.parent_path()) break;
    place = place.parent_path();
  }
  return otherwise;
}

}  // namespace longshot
