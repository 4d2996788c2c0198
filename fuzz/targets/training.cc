// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/training_faces.h"

#include "../target.h"

namespace longshot::fuzz {
namespace {

constexpr std::size_t kTrainingMagicBytes = std::string_view("LSTRAIN").size();

void read_any_training(std::string_view bytes) {
  const TrainingFaces read = decode_training(with_checksum(bytes, kTrainingMagicBytes), "training");
  if (!read.photos().allFinite()) std::terminate();
}

const Registered training("training", read_any_training);

}  // namespace
}  // namespace longshot::fuzz
