// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/folder_listing.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "longshot/dataset/file_name.h"
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) {
  const std::string name = path.filename().string();
  // __MACOSX holds the resource forks of an archive made on a Mac, under the images' own names.
  return name.starts_with('.') || name == "__MACOSX";
}

// True for a link to the folder that holds it or to one above: following it would never end.
bool leads_back(const fs::path& entry) {
  std::error_code error;
  if (!fs::is_symlink(entry, error)) return false;
  const fs::path target = fs::canonical(entry, error);
  if (error) return false;
  const fs::path holder = fs::canonical(fs::absolute(entry).parent_path(), error);
  if (error) return false;
  return std::mismatch(target.begin(), target.end(), holder.begin(), holder.end()).first ==
         target.end();
}

constexpr std::array<std::string_view, 23> kUnreadKinds = {
    ".gif", ".jxl", ".jp2", ".svg", ".psd", ".ico", ".raw", ".dng",  ".cr2", ".cr3", ".nef", ".arw",
    ".orf", ".rw2", ".raf", ".mp4", ".mov", ".avi", ".mkv", ".webm", ".m4v", ".mpg", ".mts"};

// A picture or clip that somebody would miss, or "".
std::string unread_kind(const fs::path& path) {
  const std::string extension = lower_case(path.extension().string());
  const bool unread = std::ranges::find(kUnreadKinds, extension) != kUnreadKinds.end();
  return unread ? extension : "";
}

}  // namespace

std::string file_problem(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return "The file does not exist.";
  if (error) return fmt::format("The file cannot be opened: {}.", error.message());
  if (!fs::is_regular_file(status)) return "It is not a file.";
  if (fs::file_size(path, error) == 0) return "The file is empty.";
  return "";
}

FolderListing list_folder(const fs::path& folder) {
  FolderListing listing;
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (!is_hidden(it->path())) entries.push_back(it->path());
  }
  if (error) {
    listing.rejections.push_back(
        {folder.string(), fmt::format("The folder cannot be read: {}.", error.message())});
  }
  std::sort(entries.begin(), entries.end());
  for (const fs::path& entry : entries) {
    std::error_code ignored;
    if (fs::is_directory(entry, ignored)) {
      if (leads_back(entry)) {
        listing.rejections.push_back({entry.string(), "The link leads back to a folder above it."});
      } else {
        listing.folders.push_back(entry);
      }
    } else if (has_image_extension(entry)) {
      if (std::string problem = file_problem(entry); !problem.empty()) {
        listing.rejections.push_back({entry.string(), std::move(problem)});
      } else {
        listing.images.push_back(entry);
      }
    } else if (const std::string kind = unread_kind(entry); !kind.empty()) {
      listing.rejections.push_back(
          {entry.string(), fmt::format("Files of the kind {} are not read here.", kind)});
    } else if (entry.filename() != "manifest.csv" && entry.filename() != "dataset.json") {
      listing.passed_over.push_back(entry);
    }
  }
  return listing;
}

void append(std::vector<Rejection>& rejections, const std::vector<Rejection>& more) {
  rejections.insert(rejections.end(), more.begin(), more.end());
}

}  // namespace longshot
