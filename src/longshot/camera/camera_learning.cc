// SPDX-License-Identifier: Apache-2.0
#include "longshot/camera/camera_learning.h"

#include "longshot/camera/camera_fit.h"
#include "longshot/core/error.h"
#include "longshot/core/privacy.h"

namespace longshot {

CameraReference make_camera_reference(const Extender& extender, const MatrixRef& trained_high,
                                      const MatrixRef& enrolled_high, Index people) {
  if (enrolled_high.cols() < 1 || enrolled_high.cols() > people) {
    throw Error("A camera is learnt with photos of 1 to {} enrolled people, not {}.", people,
                enrolled_high.cols());
  }
  const FaceGeometry& geometry = extender.geometry();
  return {geometry, camera_reference(trained_high, extender.relit(enrolled_high), geometry), people,
          enrolled_high};
}

Camera learn_camera(const MatrixRef& crops, const CameraReference& reference) {
  const Matrix some = spread_columns(crops, kMostCameraCrops);
  Camera camera = fit_camera(some, reference.faces, reference.geometry);
  camera.crops = crops.cols();
  if (reference.people < kFewestPeople) camera.tone.resize(0);
  return camera;
}

}  // namespace longshot
