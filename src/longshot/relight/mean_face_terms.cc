// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/face_shape.h"

namespace longshot {

const FaceShape& mean_face_shape() {
  static const FaceShape shape({
      {1.60, 0.00, -0.45, 1.20},  // head
      {0.22, 0.00, -0.25, 0.17},  // ridge of the nose
      {0.28, 0.00, -0.60, 0.15},  // tip of the nose
      {-0.10, 0.50, 0.00, 0.18},  // eye sockets
      {0.05, 0.45, 0.28, 0.20},   // brow ridges
      {0.07, 0.00, -1.05, 0.20},  // mouth
      {0.09, 0.00, -1.45, 0.21},  // chin
  });
  return shape;
}

}  // namespace longshot
