// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "longshot/relight/mesh.h"
#include "longshot/relight/normal_map.h"

namespace longshot {

// Eye centres of a mesh: `left` is the one on the image's left (smaller x).
struct MeshEyes {
  Eigen::Vector3d left;
  Eigen::Vector3d right;
};

struct MeshViewOptions {
  // Eye centres in the mesh's units. Absent: the foremost points of the eye materials on either
  // side of x = 0.
  std::optional<MeshEyes> eyes;
  // Degrees, -45 to 45: the head is turned about the x axis; positive tips the forehead forward.
  double tilt = 0.0;
  // What is drawn, by the beginnings of material names. A mesh without such a skin material is
  // drawn whole.
  std::vector<std::string> skin_materials = {"M_Face", "M_BackHead"};
  std::vector<std::string> eye_materials = {"M_Sclera", "M_Iris"};
  Index oversampling = 4;  // 1 to 16 samples a side for every pixel

  void check() const;  // throws Error
};

// Parallel projection with a z-buffer; normals interpolated between vertices, averaged over each
// pixel. The mask holds where skin or eyes cover at least half of a pixel and face the camera.
NormalMap normals_of_mesh(const Mesh& mesh, const FaceFrame& frame, Size size,
                          const MeshViewOptions& options = {});

}  // namespace longshot
