// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/manifest.h"

#include "../target.h"

namespace longshot::fuzz {
namespace {

void read_any_manifest(std::string_view bytes) {
  static const std::filesystem::path photo = file_of("P2 1 1 255 0\n", "a.png");  // that is there
  const Dataset dataset = read_manifest(file_of(bytes, "manifest.csv"));
  for (const Sample& sample : dataset.samples) {
    if (sample.subject.empty()) std::terminate();
  }
}

const Registered manifest("manifest", read_any_manifest);

}  // namespace
}  // namespace longshot::fuzz
