// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "longshot/dataset/dataset.h"

namespace longshot {

// One folder per person, named like the person, with images in it or one level deeper; the folder
// in between is then the session. Images beside the folders are read as by read_flat_folder. Throws
// Error for the folder above such a one, where all people would become one.
Dataset read_person_folders(const std::filesystem::path& root);

// person.jpg, person_2.jpg, ... in one folder; folders in it are passed over.
Dataset read_flat_folder(const std::filesystem::path& root);

// One image; the person is its name without extension and number.
Dataset read_single_image(const std::filesystem::path& file);

}  // namespace longshot
