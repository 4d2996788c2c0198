// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace longshot {

// The images of a folder that are named by one word and a number, in the order of the numbers.
struct FrameFolder {
  std::string word;  // may be empty
  std::vector<std::filesystem::path> frames;
};

// Nothing unless there are at least three of them, and no other images, folders and manifests.
std::optional<FrameFolder> list_frames(const std::filesystem::path& folder);

}  // namespace longshot
