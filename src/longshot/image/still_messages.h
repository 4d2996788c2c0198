// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "longshot/image/still_decoder.h"

namespace longshot {

// What is said between the library and the helper longshot-stills: one request, then the size of
// the image and, if they were asked for, its pixels, or the problem.
inline constexpr const char* kStillHelper = "longshot-stills";

struct StillRequest {        // then the name, then the bytes
  std::uint64_t secret = 0;  // begins every answer, so that none can be given beforehand
  std::int64_t name_bytes = 0;
  double cpu_seconds = 0.0;  // after which the process is ended, whatever it does
  ReadLimits limits;
};

struct StillAbout {
  std::uint64_t secret = 0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t damaged = 0;  // 0 or 1: as DecodedPhoto has it
};

// Of one message: pixels (doubles, column by column) behind the secret.
inline constexpr std::int64_t kMostStillPixels = 1 << 17;

enum StillMessage : std::uint32_t {
  kStillPixelsWanted = 1,
  kStillSizeWanted,
  kStillAbout,
  kStillPixels,
  kStillProblem  // behind the secret one sentence
};

}  // namespace longshot
