// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/yaleb.h"

#include <algorithm>
#include <cmath>

#include "longshot/core/file.h"
#include "longshot/dataset/dataset_json.h"
#include "longshot/dataset/file_name.h"
#include "longshot/dataset/folder_listing.h"
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

// Measured on the 192x168 crops.
constexpr FaceFrame kYaleBCropFrame = {{{0.207, 0.242}, {0.772, 0.242}}, kSquarePixels};

struct YaleBName {
  std::string subject;
  std::string condition;
};

std::optional<double> signed_number(std::string_view text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const std::optional<int> size = whole_number(text.substr(1));
  if (!size) return std::nullopt;
  return text[0] == '-' ? -*size : *size;
}

// "yaleB11_P00A+035E+15" or "yaleB11_P00_Ambient".
std::optional<YaleBName> parse_yaleb_name(const fs::path& file) {
  const std::string stem = file.stem().string();
  constexpr std::string_view kPrefix = "yaleb";
  const std::size_t underscore = stem.find('_');
  if (underscore == std::string::npos || lower_case(stem).rfind(kPrefix, 0) != 0) {
    return std::nullopt;
  }
  const std::string_view number =
      std::string_view(stem).substr(kPrefix.size(), underscore - kPrefix.size());
  const std::string pose = stem.substr(underscore + 1, 3);
  if (!whole_number(number) || pose.size() != 3 || pose[0] != 'P' ||
      !whole_number(std::string_view(pose).substr(1))) {
    return std::nullopt;
  }
  std::string light = stem.substr(underscore + 4);
  if (light == "_Ambient") {
    light = "Ambient";
  } else if (!parse_flash_angles(light)) {
    return std::nullopt;
  }
  return YaleBName{stem.substr(0, underscore), pose == "P00" ? light : pose + light};
}

bool is_landscape(const fs::path& file) {
  const std::optional<Size> size = read_image_size(read_file(file));
  return size && size->cols > size->rows;
}

}  // namespace

std::optional<FlashAngles> parse_flash_angles(std::string_view condition) {
  const std::size_t elevation_at = condition.find('E');
  if (!condition.starts_with('A') || elevation_at == std::string_view::npos) return std::nullopt;
  const std::optional<double> azimuth = signed_number(condition.substr(1, elevation_at - 1));
  const std::optional<double> elevation = signed_number(condition.substr(elevation_at + 1));
  if (!azimuth || !elevation || std::abs(*azimuth) > 180.0 || std::abs(*elevation) > 90.0) {
    return std::nullopt;
  }
  return FlashAngles{*azimuth, *elevation};
}

Dataset read_yaleb(const fs::path& root) {
  Dataset dataset;
  const auto add_listing = [&](const FolderListing& listing) {
    append(dataset.rejections, listing.rejections);
    for (const fs::path& image : listing.images) {
      const std::optional<YaleBName> name = parse_yaleb_name(image);
      if (!name) {
        dataset.rejections.push_back(
            {image.string(), "It is not named like yaleB01_P00A+000E+00.pgm."});
        continue;
      }
      Sample sample;
      sample.path = image;
      sample.subject = name->subject;
      sample.condition = name->condition;
      dataset.samples.push_back(std::move(sample));
    }
  };
  const FolderListing top = list_folder(root);
  add_listing(top);
  for (const fs::path& folder : top.folders) add_listing(list_folder(folder));
  const bool cropped = !dataset.samples.empty() && !is_landscape(dataset.samples.front().path);
  dataset.aligned = aligned_frame(root, cropped ? std::optional(kYaleBCropFrame) : std::nullopt);
  return dataset;
}

bool is_yaleb(const fs::path& root) {
  const auto has_name = [](const FolderListing& listing) {
    return std::any_of(listing.images.begin(), listing.images.end(),
                       [](const fs::path& image) { return parse_yaleb_name(image).has_value(); });
  };
  const FolderListing top = list_folder(root);
  return has_name(top) ||
         std::any_of(top.folders.begin(), top.folders.end(),
                     [&](const fs::path& folder) { return has_name(list_folder(folder)); });
}

}  // namespace longshot
