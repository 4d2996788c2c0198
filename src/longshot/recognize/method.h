// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
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

// Values of single parameters by name, for ablations: what a profile or tuning would choose
// otherwise. Parameters that a method does not have are passed over.
using Parameters = std::map<std::string, std::string>;

// The names that Parameters may hold, each with what it means.
const std::map<std::string, std::string>& parameter_names();

struct MethodOptions {
  Profile profile = Profile::kPaper;
  bool tune = true;  // by cross-validation on the training people; otherwise the defaults
  std::filesystem::path embedding;  // the ONNX face network of the method of that name
  Parameters parameters;

  // Throws Error for a parameter that does not exist or a value that cannot be understood.
  void check() const;
};

// How a gallery photo is extended. `lights` is the light set of the protocol, which only the
// paper's profile follows.
RelightOptions relight_options(const MethodOptions& options,
                               const std::vector<LightDirection>& lights);

// Where the expected albedo of a face comes from.
enum class AlbedoKnowledge {
  kTrained,  // the training people; the built-in statistics where there are none
  kBuiltin,
  kLocal,  // each pixel's neighbourhood
};
AlbedoKnowledge albedo_knowledge(const MethodOptions& options);

// The names that make_recognizer knows, in the order in which tables show them.
const std::vector<std::string>& method_names();

// An untrained recogniser. Throws Error for an unknown name, listing the known ones.
std::unique_ptr<Recognizer> make_recognizer(std::string_view name,
                                            const MethodOptions& options = {});

}  // namespace longshot
