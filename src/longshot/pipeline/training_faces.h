// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/image/face_frame.h"
#include "longshot/relight/albedo.h"

namespace longshot {

// What `longshot train` makes, a FILE.model: the aligned faces of the training people and the
// statistics of their albedo. Recognisers are learnt from it, one per method and probe size, when a
// gallery first needs them; a probe's size is known only then. It holds faces of real people, no
// names (docs/formats.md).
struct TrainingFaces {
  FaceFrame frame;
  Size size;
  std::vector<std::uint8_t> pixels;  // size.pixels() grey levels per face, column by column
  std::vector<int> subjects;         // one per face, numbers from 0
  AlbedoPrior prior;                 // of that size

  Index count() const { return static_cast<Index>(subjects.size()); }
  Index people() const;
  Matrix photos() const;  // size.pixels() x count, in [0, 1]
  // Throws Error where the parts do not fit each other.
  void check() const;
};

// Grey levels 0 .. 255 of intensities in [0, 1], clipped and rounded.
std::vector<std::uint8_t> grey_levels(const MatrixRef& images);

// The file: magic "LSTRAIN", version, length, content, CRC-32 of all that precedes it; numbers are
// little-endian (docs/formats.md).
std::string encode_training(const TrainingFaces& faces);
// Throws Error, naming `name`, for bytes that are not such a file, damaged, or of a newer version.
TrainingFaces decode_training(std::string_view bytes, std::string_view name);

void write_training(const std::filesystem::path& path, const TrainingFaces& faces);
TrainingFaces read_training(const std::filesystem::path& path);

}  // namespace longshot
