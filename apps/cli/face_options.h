// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "longshot/dataset/dataset.h"
#include "longshot/dataset/face_reader.h"

namespace longshot::cli {

// --eyes, --box, --aligned and --detector: how faces are found in images.
struct FaceArguments {
  std::string eyes;
  std::string box;
  bool aligned = false;
  std::string detector;
};

void add_face_options(CLI::App& command, FaceArguments& arguments);

// Puts what the user stated about a single image into its sample and the reading options. Throws
// Error for what cannot be understood, or if eyes or a box are stated for several images.
void apply_face_options(const FaceArguments& arguments, Dataset& dataset, FaceReadOptions& options);

// What is at the paths, with what the user stated about the images. A path that cannot be read is a
// rejection among several; throws Error if there is none that can be.
std::vector<Dataset> load_face_inputs(const std::vector<std::string>& paths,
                                      const FaceArguments& arguments);

}  // namespace longshot::cli
