// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/mat_reader.h"

#include "../target.h"

namespace longshot::fuzz {
namespace {

void read_any_mat(std::string_view bytes) {
  const MatFaces faces(file_of(bytes, "faces.mat"));
  for (Index row = 0; row < std::min<Index>(faces.count(), 8); ++row) {
    if (!faces.face(row).allFinite()) std::terminate();
  }
}

const Registered mat("mat", read_any_mat);

}  // namespace
}  // namespace longshot::fuzz
