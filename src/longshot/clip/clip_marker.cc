// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/clip_marker.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "longshot/clip/clip_writer.h"
#include "longshot/core/error.h"
#include "longshot/core/interrupt.h"
#include "longshot/core/private_file.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

// A clip that goes again unless it gets its name.
class PrivateClip {
 public:
  explicit PrivateClip(const fs::path& out)
      : out_(out), path_(out.parent_path() / ("." + out.stem().string() + ".part.avi")) {
    write_private_file(path_, "");  // the encoder keeps whose it is
  }
  ~PrivateClip() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove(path_, ignored);
  }
  PrivateClip(const PrivateClip&) = delete;
  PrivateClip& operator=(const PrivateClip&) = delete;

  const fs::path& path() const { return path_; }
  void rename_into_place() {
    fs::rename(path_, out_);
    path_.clear();
  }

 private:
  fs::path out_;
  fs::path path_;
};

// Encoders want even sides.
Size even(Size size) {
  return {size.rows + size.rows % 2, size.cols + size.cols % 2};
}

// The frames of a folder need not be of one size: cut, or with black beside them.
Image of_size(Image image, Size size) {
  if (size_of(image) == size) return image;
  Image result = Image::Zero(size.rows, size.cols);
  const Index rows = std::min(size.rows, image.rows());
  const Index cols = std::min(size.cols, image.cols());
  result.topLeftCorner(rows, cols) = image.topLeftCorner(rows, cols);
  return result;
}

// The next frame, or nothing and why.
std::optional<ClipFrame> next_frame(ClipReader& clip, MarkedClip& marked_clip) {
  try {
    return clip.next();
  } catch (const Error& error) {
    if (marked_clip.frames == 0) throw;
    marked_clip.cut_short = error.what();
    return std::nullopt;
  }
}

// Whoever asks to stop keeps a whole clip: its encoder is stopped between frames alone.
void uninterrupted(const std::function<void()>& work) {
  const InterruptScope calm([] {});
  work();
}

}  // namespace

MarkedClip mark_clip(ClipReader& clip, const fs::path& out, double rate,
                     const std::function<std::vector<FaceMark>(const ClipFrame&)>& marks_of,
                     Index most_frames, Progress& progress) {
  MarkedClip result;
  PrivateClip file(out);
  std::optional<ClipWriter> writer;
  Size size;
  Index times = 1;
  try {
    const Index stated = std::max<Index>(1, std::min(clip.stated_frames(), most_frames));
    ProgressScope scope(progress, "Drawing " + out.filename().string(), stated);
    while (result.frames < most_frames) {
      std::optional<ClipFrame> frame = next_frame(clip, result);
      if (!frame) break;
      if (!writer) {
        size = even(size_of(frame->image));
        times = times_to_read(size);
        uninterrupted([&] {
          writer.emplace(file.path(), Size{times * size.rows, times * size.cols},
                         ClipWriteOptions{ClipCodec::kMjpeg, std::clamp(rate, 0.1, 1000.0)});
        });
      }
      const std::vector<FaceMark> marks = marks_of(*frame);
      const ColorImage drawn = marked(of_size(std::move(frame->image), size), marks, times);
      uninterrupted([&] { writer->write(drawn); });
      ++result.frames;
      scope.advance(result.frames <= stated ? 1 : 0);  // there may be more than it says
    }
  } catch (const Cancelled&) {
    if (result.frames == 0) throw;
    result.cut_short = fmt::format("Stopped after {} frames.", result.frames);
  }
  if (!writer) throw Error("{} has no frame to draw on.", out.string());
  uninterrupted([&] { writer->finish(); });
  file.rename_into_place();
  return result;
}

}  // namespace longshot
