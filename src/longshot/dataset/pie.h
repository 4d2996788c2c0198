// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "longshot/dataset/dataset.h"

namespace longshot {

// CMU PIE, one camera: sNN/iKK.pgm, NN the subject and KK = 01..21 the flash. The condition is
// "iKK". The path is such a folder, or one that holds `illum` (room lights off), `lights` (room
// lights on) or both; the name of that folder is the session. Without a dataset.json the eyes are
// where the usual 32x32 crops have them.
Dataset read_pie(const std::filesystem::path& root);

// True if a folder sNN, here or in `illum` or `lights`, holds an image iKK.
bool is_pie(const std::filesystem::path& root);

}  // namespace longshot
