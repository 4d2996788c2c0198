// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/core/matrix.h"

namespace longshot {

// A head as triangles. Axes as everywhere: x to the image's right, y up, z towards the camera.
struct Mesh {
  struct Triangle {
    std::array<Index, 3> vertices{};  // columns of `vertices`
    Index material = -1;              // of `materials`; -1 where the file names none
  };
  Matrix vertices;  // 3 x n
  std::vector<Triangle> triangles;
  std::vector<std::string> materials;
};

// Wavefront OBJ: v, f (v, v/vt, v//vn, v/vt/vn, negative indices, any polygon) and usemtl; other
// keywords are skipped. At most 512 MB, 5 million vertices and 10 million triangles. Throws Error
// naming the line that is wrong.
Mesh read_obj(const std::filesystem::path& path);
Mesh parse_obj(std::string_view text, std::string_view name);

// The mean of the normals of the triangles at each vertex, weighted by their areas: 3 x n, unit
// length, or 0 for a vertex without triangles.
Matrix vertex_normals(const Mesh& mesh);

}  // namespace longshot
