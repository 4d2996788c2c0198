// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "longshot/dataset/dataset.h"

namespace longshot {

// What a folder holds for a reader, sorted by name. Hidden entries are not mentioned, files that
// are no pictures by their extension are passed over; pictures and clips of kinds that are not read
// are rejections. Image files that are empty or cannot be opened, and links that lead back to a
// folder above them, are rejections.
struct FolderListing {
  std::vector<std::filesystem::path> images;
  std::vector<std::filesystem::path> folders;
  std::vector<Rejection> rejections;
  std::vector<std::filesystem::path> passed_over;  // our own manifest.csv and dataset.json are not
};

// One level only. A folder that cannot be read is a rejection, too.
FolderListing list_folder(const std::filesystem::path& folder);

// Why this path cannot be an image file, or an empty string: it is missing, empty, not a file.
std::string file_problem(const std::filesystem::path& path);

void append(std::vector<Rejection>& rejections, const std::vector<Rejection>& more);

}  // namespace longshot
