// SPDX-License-Identifier: Apache-2.0
#include "longshot/camera/camera.h"

#include "../target.h"

namespace longshot::fuzz {
namespace {

// One that is read can be written, and is read again.
void read_any_camera(std::string_view bytes) {
  const Camera read = decode_camera(bytes, "camera");
  decode_camera(encode_camera(read), "camera");
}

const Registered camera("camera", read_any_camera);

}  // namespace
}  // namespace longshot::fuzz
