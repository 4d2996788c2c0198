// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "longshot/dataset/dataset.h"
#include "longshot/dataset/mat_reader.h"
#include "longshot/image/image_io.h"

namespace longshot {

// Reads the pixels of samples. A .mat file is read once and kept, for all faces in it; image files
// are read each time. May be used by several threads at once.
class SampleReader {
 public:
  explicit SampleReader(const ReadLimits& limits = {});

  // Throws Error with the reason if the image cannot be read.
  Image read(const Sample& sample) { return read_photo(sample).image; }
  // The same, and whether the file is damaged.
  DecodedPhoto read_photo(const Sample& sample);

 private:
  std::shared_ptr<const MatFaces> faces(const std::filesystem::path& file);

  ReadLimits limits_;
  std::mutex mutex_;  // guards files_
  std::map<std::filesystem::path, std::shared_ptr<const MatFaces>> files_;
};

}  // namespace longshot
