// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "longshot/dataset/dataset.h"

namespace longshot {

// manifest.csv: a header, then one face per line, in the order of the file. The columns `path`
// (relative to the manifest) and `subject` are required; session, condition, role
// (train|gallery|probe), left_eye_x, left_eye_y, right_eye_x, right_eye_y, box_x, box_y, box_w,
// box_h and row (of `fea`, for a .mat file) are optional and may be empty; others are passed over.
// A bad line is a rejection named file:line. Throws Error if the header is not a manifest's.
Dataset read_manifest(const std::filesystem::path& file);

// Writes path, subject and those optional columns that at least one sample uses. read_manifest
// gives the same samples back, with their paths relative to the manifest.
void write_manifest(const std::filesystem::path& file, const std::vector<Sample>& samples);

}  // namespace longshot
