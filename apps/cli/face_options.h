// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "longshot/picture.h"

namespace longshot::cli {

// --eyes, --box, --aligned and --detector: how faces are found in images.
struct FaceArguments {
  std::string eyes;
  std::string box;
  bool aligned = false;
  std::string detector;
};

void add_face_options(CLI::App& command, FaceArguments& arguments);

// What is at the paths, "-" being an image on standard input, with what the user stated about the
// images; what cannot be used stays in its place. Throws Error if nothing can be, for what cannot
// be understood, and if eyes or a box are stated for several images.
std::vector<v0::Picture> load_pictures(const std::vector<std::string>& paths, v0::Purpose purpose,
                                       const FaceArguments& arguments = {},
                                       v0::PersonFrom from = v0::PersonFrom::anything);

}  // namespace longshot::cli
