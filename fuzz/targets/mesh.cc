// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/mesh.h"

#include "../target.h"

namespace longshot::fuzz {
namespace {

void read_any_mesh(std::string_view bytes) {
  const Mesh read = parse_obj(bytes, "mesh");
  vertex_normals(read);
}

const Registered mesh("mesh", read_any_mesh);

}  // namespace
}  // namespace longshot::fuzz
