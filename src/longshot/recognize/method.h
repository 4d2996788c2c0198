// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/recognize/recognizer.h"
#include "longshot/relight/relight.h"

namespace longshot {

// `paper` follows the paper (PCA features, its light counts, no whitening); `best` is the most
// accurate recipe that we know.
enum class Profile { kPaper, kBest };

Profile parse_profile(std::string_view text);  // throws Error for an unknown name
std::string to_string(Profile profile);

// How a profile extends a gallery photo. `lights` is the light set of the protocol, which only the
// paper's profile follows.
RelightOptions relight_options(Profile profile, const std::vector<LightDirection>& lights);

struct MethodOptions {
  Profile profile = Profile::kPaper;
  bool tune = true;  // by cross-validation on the training people; otherwise the defaults
  std::filesystem::path embedding;  // ONNX file of a face network, for the methods of that name
};

// The names that make_recognizer knows, in the order in which tables show them.
const std::vector<std::string>& method_names();

// An untrained recogniser. Throws Error for an unknown name, listing the known ones.
std::unique_ptr<Recognizer> make_recognizer(std::string_view name,
                                            const MethodOptions& options = {});

}  // namespace longshot
