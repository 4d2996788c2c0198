// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longshot {

// What is said between the library and the helper longshot-clips.
inline constexpr const char* kClipHelper = "longshot-clips";

// Reading: one request, then what the clip is, its frames, and its end, or the problem.
struct ClipRequest {
  std::int64_t every = 1;       // of the frames, so many
  double from = 0.0;            // seconds
  double to = 0.0;              // seconds
  std::int64_t max_pixels = 0;  // of a frame
};

struct ClipAbout {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  double rate = 0.0;        // frames a second, as the file states it; 0: it does not
  std::int64_t frames = 0;  // as the file states it; 0: it does not
};

struct ClipFrameHead {  // then rows x cols grey bytes, row by row
  std::int64_t number = 0;
  double seconds = 0.0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

// Writing: one head, then frames of its size (three bytes each pixel: blue, green, red), each of
// which is acknowledged, as is the end.
struct ClipWriteHead {  // then the path
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  double rate = 25.0;
  char codec[4] = {'M', 'J', 'P', 'G'};
};

enum ClipMessage : std::uint32_t {
  kClipRequest = 1,
  kClipAbout,
  kClipFrame,
  kClipSkipped,  // a frame that was not asked for, with its number
  kClipEnd,
  kClipProblem,  // one sentence without the file's name
  kClipWrite,
  kClipDone
};

}  // namespace longshot
