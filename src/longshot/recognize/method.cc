// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/method.h"

#include <functional>
#include <utility>

#include <fmt/ranges.h>

#include "longshot/core/error.h"
#include "longshot/recognize/kernel_slrfr.h"
#include "longshot/recognize/slrfr.h"

namespace longshot {
namespace {

using Factory = std::function<std::unique_ptr<Recognizer>(const MethodOptions&)>;

Factory subspace_method(SubspaceKind kind) {
  return [kind](const MethodOptions& options) {
    SlrfrOptions slrfr;
    slrfr.kind = kind;
    slrfr.tune = options.tune;
    return std::make_unique<Slrfr>(slrfr);
  };
}

Factory kernel_method(bool joint) {
  return [joint](const MethodOptions& options) {
    KernelSlrfrOptions kernel;
    kernel.joint = joint;
    kernel.tune = options.tune;
    return std::make_unique<KernelSlrfr>(kernel);
  };
}

const std::vector<std::pair<std::string, Factory>>& factories() {
  static const std::vector<std::pair<std::string, Factory>> list = {
      {"slrfr", subspace_method(SubspaceKind::kDictionary)},
      {"kernel", kernel_method(false)},
      {"joint", kernel_method(true)},
      {"subspace", subspace_method(SubspaceKind::kSvd)},
      {"affine", subspace_method(SubspaceKind::kAffine)},
  };
  return list;
}

}  // namespace

Profile parse_profile(std::string_view text) {
  if (text == "paper") return Profile::kPaper;
  if (text == "best") return Profile::kBest;
  throw Error("\"{}\" is not a profile: use paper or best.", text);
}

std::string to_string(Profile profile) {
  return profile == Profile::kPaper ? "paper" : "best";
}

RelightOptions relight_options(Profile profile, const std::vector<LightDirection>& lights) {
  if (profile == Profile::kBest) return best_profile();
  RelightOptions options = paper_profile();
  options.lights = lights;
  return options;
}

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, factory] : factories()) list.push_back(name);
    return list;
  }();
  return names;
}

std::unique_ptr<Recognizer> make_recognizer(std::string_view name, const MethodOptions& options) {
  for (const auto& [known, factory] : factories()) {
    if (name == known) return factory(options);
  }
  throw Error("\"{}\" is not a method: use one of {}.", name, fmt::join(method_names(), ", "));
}

}  // namespace longshot
