// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "longshot/clip/clip_reader.h"
#include "longshot/clip/clip_writer.h"

namespace longshot {

// Frame k of a test clip: a bright square that moves to the right on grey, and k in its brightness.
inline Image moving_square(Size size, Index k) {
  Image frame = Image::Constant(size.rows, size.cols, 0.3 + 0.01 * static_cast<double>(k % 20));
  frame.block(size.rows / 4, std::min(2 * k, size.cols - 8), 8, 8).setConstant(0.9);
  return frame;
}

inline std::filesystem::path small_clip(const std::string& name, Index frames, Size size = {48, 64},
                                        ClipCodec codec = ClipCodec::kMjpeg) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / name;
  ClipWriter writer(path, size, {codec, 25.0});
  for (Index k = 0; k < frames; ++k) writer.write(moving_square(size, k));
  writer.finish();
  return path;
}

// What ffmpeg makes with these arguments and the path of the clip after them; empty without it.
inline std::filesystem::path made_by_ffmpeg(const std::string& arguments, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / name;
  const std::string command = "ffmpeg -nostdin -y -loglevel error " + arguments + " '" +
                              path.string() + "' >/dev/null 2>&1";
  return std::system(command.c_str()) == 0 ? path : std::filesystem::path();
}

inline Index count_frames(ClipReader& clip) {
  Index count = 0;
  while (clip.next()) ++count;
  return count;
}

}  // namespace longshot
