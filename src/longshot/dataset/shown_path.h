// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <fmt/format.h>

#include "longshot/dataset/dataset.h"

namespace longshot {

// As users know it: the file, with ":3" for a row of a .mat file.
inline std::string shown_path(const Sample& sample) {
  if (sample.row < 0) return sample.path.string();
  return fmt::format("{}:{}", sample.path.string(), sample.row);
}

}  // namespace longshot
