// SPDX-License-Identifier: Apache-2.0
#pragma once

// Between the public face (v0) and the modules, which have names of their own for much the same.
// Not installed.
#ifndef LONGSHOT_INTERNAL
#define LONGSHOT_INTERNAL
#endif

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "longshot/camera/camera.h"
#include "longshot/core/blas.h"
#include "longshot/core/error.h"
#include "longshot/core/interrupt.h"
#include "longshot/core/progress.h"
#include "longshot/face/face_intake.h"
#include "longshot/image/image.h"
#include "longshot/longshot.h"

namespace longshot {

// Where the pixels of a picture are: in a file, in encoded bytes, in memory, or nowhere.
struct v0::Picture::Source {
  std::filesystem::path path;
  Index row = -1;  // of a MATLAB file
  std::string bytes;
  const std::uint8_t* pixels = nullptr;  // the first, `channels` bytes each
  std::ptrdiff_t stride = 0;             // bytes from one row to the next
  std::shared_ptr<const void> owner;     // of the pixels
  longshot::Size size;
  Index channels = 0;
  std::string problem;             // why there is none; otherwise empty
  std::optional<FaceFrame> frame;  // of a set of crops that are all alike
};

struct v0::Camera::Value {
  longshot::Camera camera;
  std::string name = {};
};

namespace door {

inline longshot::Size inner(v0::Size size) {
  return {size.rows, size.cols};
}
inline std::optional<longshot::Size> inner(const std::optional<v0::Size>& size) {
  return size ? std::optional(inner(*size)) : std::nullopt;
}
inline std::optional<longshot::Camera> inner(const std::optional<v0::Camera>& camera) {
  return camera ? std::optional(camera->value().camera) : std::nullopt;
}
inline v0::Size outer(longshot::Size size) {
  return {size.rows, size.cols};
}
inline longshot::Eyes inner(const v0::Eyes& eyes) {
  return {{eyes.left.x, eyes.left.y}, {eyes.right.x, eyes.right.y}};
}
inline v0::Eyes outer(const longshot::Eyes& eyes) {
  return {{eyes.left.x, eyes.left.y}, {eyes.right.x, eyes.right.y}};
}
inline v0::FoundFace outer(const longshot::FoundFace& face) {
  return {{face.box.x, face.box.y, face.box.width, face.box.height},
          outer(face.eyes),
          face.eye_error,
          face.likeness,
          face.quality};
}
v0::Camera outer(const longshot::Camera& camera, std::string name = {});
std::vector<v0::Rejection> outer(const std::vector<longshot::Rejection>& rejections);
v0::Plane outer(const Image& image);
Image inner(const v0::Plane& plane);
// Of a crop as it is; stated eyes only say where they are in it.
FaceFrame crop_frame(longshot::Size size, const std::optional<v0::Eyes>& eyes);

// The pixels of a picture. Throws Error if it cannot be read.
Image image_of(const v0::Picture& picture);
// What the pipeline is asked to read; a picture that cannot be is an input with a problem.
Input input_of(const v0::Picture& picture);
std::vector<Input> inputs_of(const std::vector<v0::Picture>& pictures);

// Hands the progress of one call after the other to its callback.
class CallbackProgress final : public longshot::Progress {
 public:
  void begin(std::string_view task, Index total) override;
  void advance(Index steps) override;
  void end() override {}
  void use(const v0::Progress& callback);
  // Tells the callback once more what it was told last, so that it can cancel between two steps.
  void look();

 private:
  void report();

  std::mutex mutex_;
  v0::Progress callback_;
  std::string task_;
  Index done_ = 0;
  Index total_ = 0;
};

// Runs `work` as the thread policy wants it. What else than Error may leave the library's inside
// becomes one, but for want of memory.
template <typename Work>
auto translated(const Work& work) {
  const SingleThreadedBlas policy;
  try {
    return work();
  } catch (const Cancelled& cancelled) {
    throw Error(ErrorKind::cancelled, std::string(cancelled.what()));
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error(kind_of(error.code().value()), "{}: {}.", error.path1().string(),
                error.code().message());
  }
}

// The same for work(progress), which the callback sees and can cancel between two steps.
template <typename Work>
auto with_progress(const v0::Progress& callback, const Work& work) {
  return translated([&] {
    CallbackProgress shown;
    shown.use(callback);
    const InterruptScope interrupt([&] { shown.look(); });
    return work(shown);
  });
}

}  // namespace door
}  // namespace longshot
