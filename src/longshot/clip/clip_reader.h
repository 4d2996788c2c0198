// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "longshot/core/confined_process.h"
#include "longshot/image/image_io.h"

namespace longshot {

struct ClipOptions {
  Index every = 1;                                      // of its frames so many, >= 1
  double from = 0.0;                                    // seconds, >= 0
  double to = std::numeric_limits<double>::infinity();  // seconds, >= from
  ReadLimits limits;                                    // of each frame
  ConfinedLimits confined;                              // of the process that decodes a clip

  void check() const;
};

struct ClipFrame {
  Index number = 0;      // from 0, counted from the beginning of the clip
  double seconds = 0.0;  // from its beginning, going up
  Image image;
};

// A clip, decoded once from its beginning, never by seeking. Not for several threads at once.
class ClipReader {
 public:
  virtual ~ClipReader() = default;

  // Nothing after the last frame. Throws Error for what cannot be decoded.
  virtual std::optional<ClipFrame> next() = 0;
  // Frames as the clip states them, 0 if it does not; it may be wrong.
  virtual Index stated_frames() const = 0;
  // Frames that were gone past, whether they were wanted or not.
  virtual Index passed() const = 0;
};

// MP4, MOV, AVI, Matroska, WebM, MPEG, ... by OpenCV in a helper process with limits, or a folder
// of numbered frames, which has 25 frames a second. Throws Error for what is neither.
std::unique_ptr<ClipReader> open_clip(const std::filesystem::path& path,
                                      const ClipOptions& options = {});

// By its extension.
bool has_clip_extension(const std::filesystem::path& path);
// A folder of at least three images and nothing else that are named by the same word and a number,
// "frame_0001.png", and no manifest. `word`: only with this one.
bool is_frame_folder(const std::filesystem::path& path, const std::string& word = {});
// A clip, without being told: a file with such an extension, or a folder of images "frame...".
bool is_clip(const std::filesystem::path& path);

inline constexpr double kFolderRate = 25.0;  // frames a second

}  // namespace longshot
