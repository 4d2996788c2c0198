// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/clip_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

#include "longshot/clip/clip_messages.h"
#include "longshot/clip/frame_folder.h"
#include "longshot/core/error.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

Image image_of_bytes(std::string_view grey, Size size) {
  using Bytes = Eigen::Matrix<unsigned char, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Bytes> rows(reinterpret_cast<const unsigned char*>(grey.data()), size.rows,
                                     size.cols);
  return rows.cast<double>() / 255.0;
}

// Decoded by the helper.
class VideoReader final : public ClipReader {
 public:
  VideoReader(const fs::path& path, const ClipOptions& options)
      : name_(path.string()),
        max_pixels_(options.limits.max_pixels),
        process_(kClipHelper, "read", path, options.confined) {
    const ClipRequest request = {options.every, options.from, options.to, max_pixels_};
    process_.send(kClipRequest, bytes_of(request));
    const Message first = receive();
    if (first.kind != kClipAbout) refuse("its decoder said what it must not say");
    stated_ = std::max<Index>(0, value_of<ClipAbout>(first.bytes).frames);
  }

  std::optional<ClipFrame> next() override {
    while (!ended_) {
      const Message message = receive();
      if (message.kind == kClipFrame) return frame_of(message.bytes);
      ended_ = message.kind == kClipEnd;
      if (!ended_) pass(value_of<std::int64_t>(message.bytes));
    }
    if (passed_ == 0) refuse("it holds no frame that can be decoded");
    return std::nullopt;
  }

  Index stated_frames() const override { return stated_; }
  Index passed() const override { return passed_; }

 private:
  Message receive() {
    Message message = process_.receive();
    if (message.kind == kClipProblem) refuse(message.bytes);
    return message;
  }

  void pass(std::int64_t number) {
    if (number < passed_) refuse("its frames do not follow each other");
    passed_ = number + 1;
  }

  ClipFrame frame_of(std::string_view bytes) {
    const auto head = value_of<ClipFrameHead>(bytes);
    bytes.remove_prefix(sizeof(head));
    const bool possible = head.rows > 0 && head.cols > 0 && head.rows <= kLargestImageSide &&
                          head.cols <= kLargestImageSide && head.rows * head.cols <= max_pixels_ &&
                          bytes.size() == static_cast<std::size_t>(head.rows * head.cols);
    if (!possible || !std::isfinite(head.seconds)) refuse("a frame has an impossible size");
    pass(head.number);
    return {head.number, head.seconds, image_of_bytes(bytes, {head.rows, head.cols})};
  }

  [[noreturn]] void refuse(const std::string& reason) const {
    throw Error("Cannot read {}: {}.", name_, reason);
  }

  std::string name_;
  std::int64_t max_pixels_;
  ConfinedProcess process_;
  Index stated_ = 0;
  Index passed_ = 0;
  bool ended_ = false;
};

// A file each.
class FolderReader final : public ClipReader {
 public:
  FolderReader(FrameFolder folder, const ClipOptions& options)
      : frames_(std::move(folder.frames)), options_(options) {}

  std::optional<ClipFrame> next() override {
    for (; passed_ < stated_frames(); ++passed_) {
      const double seconds = static_cast<double>(passed_) / kFolderRate;
      if (seconds > options_.to) break;
      if (seconds < options_.from || passed_ % options_.every != 0) continue;
      ClipFrame frame{passed_, seconds,
                      read_image(frames_[static_cast<std::size_t>(passed_)], options_.limits)};
      ++passed_;
      return frame;
    }
    return std::nullopt;
  }

  Index stated_frames() const override { return static_cast<Index>(frames_.size()); }
  Index passed() const override { return passed_; }

 private:
  std::vector<fs::path> frames_;
  ClipOptions options_;
  Index passed_ = 0;
};

}  // namespace

void ClipOptions::check() const {
  limits.check();
  confined.check();
  if (every < 1) throw Error("Every first frame at least must be taken, not every {}.", every);
  if (!(from >= 0.0) || !(to >= from)) {
    throw Error("A clip is read from a time >= 0 to a later one, not from {:g} to {:g} s.", from,
                to);
  }
}

std::unique_ptr<ClipReader> open_clip(const fs::path& path, const ClipOptions& options) {
  options.check();
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return std::make_unique<VideoReader>(path, options);
  std::optional<FrameFolder> folder = list_frames(path);
  if (!folder) {
    throw Error("{} is not a clip: it needs three or more images named by one word and a number.",
                path.string());
  }
  return std::make_unique<FolderReader>(std::move(*folder), options);
}

bool has_clip_extension(const fs::path& path) {
  static constexpr std::array<std::string_view, 19> kExtensions = {
      ".3gp",   ".asf", ".avi", ".dv",  ".flv",  ".gif", ".h264", ".hevc", ".m2ts", ".m4v",
      ".mjpeg", ".mkv", ".mov", ".mp4", ".mpeg", ".mpg", ".ts",   ".webm", ".wmv"};
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  return std::ranges::find(kExtensions, extension) != kExtensions.end();
}

bool is_frame_folder(const fs::path& path, const std::string& word) {
  const std::optional<FrameFolder> folder = list_frames(path);
  return folder && folder->word.starts_with(word);
}

bool is_clip(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? is_frame_folder(path, "frame")
                                         : has_clip_extension(path);
}

}  // namespace longshot
