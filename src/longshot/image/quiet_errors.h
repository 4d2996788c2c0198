// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace longshot {

// While one lives, what its thread writes to std::cerr is dropped: OpenCV's imdecode tells there,
// past its own log, what it finds wrong with a file. Other threads go on writing.
class QuietErrors {
 public:
  QuietErrors();
  ~QuietErrors();
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;
};

}  // namespace longshot
