// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/sample_reader.h"

#include "longshot/core/error.h"

namespace longshot {

SampleReader::SampleReader(const ReadLimits& limits) : limits_(limits) {
  limits_.check();
}

DecodedPhoto SampleReader::read_photo(const Sample& sample) {
  if (sample.row < 0) return longshot::read_photo(sample.path, limits_);
  const std::shared_ptr<const MatFaces> file = faces(sample.path);
  if (sample.row >= file->count()) {
    throw Error("{} holds {} faces, there is no row {} (counted from 0).", sample.path.string(),
                file->count(), sample.row);
  }
  return {file->face(sample.row)};
}

std::shared_ptr<const MatFaces> SampleReader::faces(const std::filesystem::path& file) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const MatFaces>& entry = files_[file];
  if (!entry) entry = std::make_shared<const MatFaces>(file);
  return entry;
}

}  // namespace longshot
