// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "longshot/core/confined_process.h"
#include "longshot/image/image_io.h"

namespace longshot {

enum class ClipCodec { kMjpeg, kH264 };

struct ClipWriteOptions {
  ClipCodec codec = ClipCodec::kMjpeg;
  double rate = 25.0;  // frames a second, 0.1 to 1000

  void check() const;
};

// Writes a clip, in the container that the extension of its path names: .avi, .mp4, .mkv, .mov.
// Both sides of its frames are to be even.
class ClipWriter {
 public:
  // Throws Error if it cannot be written, or there is no such encoder.
  ClipWriter(const std::filesystem::path& path, Size size, const ClipWriteOptions& options = {});

  void write(const Image& frame);
  void write(const ColorImage& frame);
  // Without it the clip is not whole.
  void finish();

 private:
  void expect_done();

  std::string name_;
  Size size_;
  ConfinedProcess process_;
};

}  // namespace longshot
