// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/frame_folder.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <system_error>
#include <utility>

#include "longshot/core/matrix.h"
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFewestFrames = 3;

struct NumberedName {
  std::string word;
  std::uint64_t number = 0;
};

// "frame_0012.png" -> frame_, 12.
std::optional<NumberedName> numbered(const fs::path& file) {
  const std::string stem = file.stem().string();
  std::size_t digits = stem.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(stem[digits - 1]))) --digits;
  NumberedName name{stem.substr(0, digits), 0};
  const char* end = stem.data() + stem.size();
  const auto parsed = std::from_chars(stem.data() + digits, end, name.number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return name;
}

}  // namespace

std::optional<FrameFolder> list_frames(const fs::path& folder) {
  std::error_code failed;
  std::vector<std::pair<std::uint64_t, fs::path>> found;
  std::string word;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    const fs::path& path = entry.path();
    if (path.filename().string().starts_with('.')) continue;
    if (entry.is_directory(failed) || path.extension() == ".csv") return std::nullopt;
    if (!has_image_extension(path)) continue;
    const std::optional<NumberedName> name = numbered(path);
    if (!name || (!found.empty() && name->word != word)) return std::nullopt;
    word = name->word;
    found.emplace_back(name->number, path);
  }
  if (failed || found.size() < kFewestFrames) return std::nullopt;
  std::sort(found.begin(), found.end());
  FrameFolder frames{word, {}};
  for (auto& [number, path] : found) frames.frames.push_back(std::move(path));
  return frames;
}

}  // namespace longshot
