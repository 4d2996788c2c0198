// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/pie.h"

#include <algorithm>

#include "longshot/core/error.h"
#include "longshot/dataset/dataset_json.h"
#include "longshot/dataset/file_name.h"
#include "longshot/dataset/folder_listing.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

// Measured on the 32x32 crops.
constexpr FaceFrame kPieCropFrame = {{{0.27, 0.23}, {0.74, 0.23}}, kSquarePixels};
constexpr int kFlashes = 21;

bool is_subject(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.size() >= 3 && name[0] == 's' && whole_number(std::string_view(name).substr(1));
}

bool is_flash(const fs::path& image) {
  const std::string stem = image.stem().string();
  if (stem.size() != 3 || stem[0] != 'i') return false;
  const std::optional<int> number = whole_number(std::string_view(stem).substr(1));
  return number && *number >= 1 && *number <= kFlashes;
}

bool is_session(const fs::path& folder) {
  const fs::path name = folder.filename();
  return name == "illum" || name == "lights";
}

// The folders that hold subjects: `illum` and `lights`, or else the root itself.
std::vector<fs::path> session_folders(const fs::path& root) {
  std::vector<fs::path> folders = list_folder(root).folders;
  std::erase_if(folders, [](const fs::path& folder) { return !is_session(folder); });
  if (folders.empty()) folders.push_back(root);
  return folders;
}

void read_session(const fs::path& folder, Dataset& dataset) {
  const FolderListing top = list_folder(folder);
  append(dataset.rejections, top.rejections);
  fs::path name = fs::absolute(folder).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  const std::string session = is_session(name) ? name.filename().string() : "";
  for (const fs::path& subject : top.folders) {
    if (!is_subject(subject)) continue;
    const FolderListing listing = list_folder(subject);
    append(dataset.rejections, listing.rejections);
    for (const fs::path& image : listing.images) {
      if (!is_flash(image)) {
        dataset.rejections.push_back({image.string(), "It is not named i01 to i21."});
        continue;
      }
      Sample sample;
      sample.path = image;
      sample.subject = subject.filename().string();
      sample.session = session;
      sample.condition = image.stem().string();
      dataset.samples.push_back(std::move(sample));
    }
  }
}

}  // namespace

Dataset read_pie(const fs::path& root) {
  Dataset dataset;
  const std::vector<fs::path> folders = session_folders(root);
  for (const fs::path& folder : folders) read_session(folder, dataset);
  dataset.aligned = aligned_frame(folders.front(), kPieCropFrame);
  for (const fs::path& folder : folders) {
    if (aligned_frame(folder, kPieCropFrame) != dataset.aligned) {
      throw Error("{} and {} have different dataset.json files: read them one at a time.",
                  folders.front().string(), folder.string());
    }
  }
  return dataset;
}

bool is_pie(const fs::path& root) {
  const auto holds_flash = [](const fs::path& subject) {
    if (!is_subject(subject)) return false;
    const std::vector<fs::path> images = list_folder(subject).images;
    return std::any_of(images.begin(), images.end(), is_flash);
  };
  const std::vector<fs::path> folders = session_folders(root);
  return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) {
    const std::vector<fs::path> subjects = list_folder(folder).folders;
    return std::any_of(subjects.begin(), subjects.end(), holds_flash);
  });
}

}  // namespace longshot
