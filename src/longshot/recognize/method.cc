// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/method.h"

#include <charconv>
#include <functional>
#include <initializer_list>
#include <optional>
#include <utility>

#include <fmt/ranges.h>

#include "longshot/core/error.h"
#include "longshot/recognize/baseline/clpm.h"
#include "longshot/recognize/baseline/crc.h"
#include "longshot/recognize/baseline/embedding.h"
#include "longshot/recognize/baseline/lbph.h"
#include "longshot/recognize/baseline/mds.h"
#include "longshot/recognize/baseline/pca.h"
#include "longshot/recognize/baseline/rda.h"
#include "longshot/recognize/baseline/s2r2.h"
#include "longshot/recognize/baseline/src.h"
#include "longshot/recognize/baseline/vlr.h"
#include "longshot/recognize/kernel_slrfr.h"
#include "longshot/recognize/life_plda.h"
#include "longshot/recognize/longshot.h"
#include "longshot/recognize/slrfr.h"

namespace longshot {
namespace {

// The parameter as a number, or what stands there already.
template <typename Number>
void set_from(const Parameters& parameters, const std::string& name, Number& value) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) return;
  const std::string& text = found->second;
  Number parsed{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Error("The parameter {} needs a number, not \"{}\".", name, text);
  }
  value = parsed;
}

// The enumerator that the parameter names, or what stands there already.
template <typename Enum>
void set_from(const Parameters& parameters, const std::string& name, Enum& value,
              std::initializer_list<std::pair<std::string_view, Enum>> choices) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) return;
  for (const auto& [text, choice] : choices) {
    if (found->second == text) {
      value = choice;
      return;
    }
  }
  throw Error("The parameter {} cannot be \"{}\".", name, found->second);
}

void set_features(const Parameters& parameters, FeatureOptions& feature) {
  const auto found = parameters.find("normalisation");
  if (found != parameters.end()) feature.normalisation = parse_normalisation(found->second);
  set_from(parameters, "centre", feature.centre, {{"yes", true}, {"no", false}});
}

void set_whitening(const Parameters& parameters, WhiteningOptions& whitening) {
  const auto found = parameters.find("normalisation");
  if (found != parameters.end()) whitening.normalisation = parse_normalisation(found->second);
  set_from(parameters, "noise", whitening.noise);
  set_from(parameters, "moved", whitening.moved);
  set_from(parameters, "relit", whitening.relit);
  set_from(parameters, "generic", whitening.generic);
}

// The features that all methods of the best profile share.
std::optional<WhiteningOptions> whitening_of(const MethodOptions& options) {
  if (options.profile == Profile::kPaper) return {};
  WhiteningOptions whitening;
  set_whitening(options.parameters, whitening);
  return whitening;
}

using Factory = std::function<std::unique_ptr<Recognizer>(const MethodOptions&)>;

Factory subspace_method(SubspaceKind kind) {
  return [kind](const MethodOptions& options) {
    SlrfrOptions slrfr;
    slrfr.kind = kind;
    slrfr.tune = options.tune;
    set_features(options.parameters, slrfr.feature);
    slrfr.whitening = whitening_of(options);
    set_from(options.parameters, "atoms", slrfr.dictionary.atoms);
    set_from(options.parameters, "sparsity", slrfr.dictionary.sparsity);
    set_from(options.parameters, "sweeps", slrfr.dictionary.max_sweeps);
    set_from(options.parameters, "update", slrfr.dictionary.update,
             {{"ksvd", KsvdUpdate::kExact},
              {"mod", KsvdUpdate::kExact},
              {"approximate", KsvdUpdate::kApproximate}});
    return std::make_unique<Slrfr>(slrfr);
  };
}

Factory kernel_method(bool joint) {
  return [joint](const MethodOptions& options) {
    KernelSlrfrOptions kernel;
    kernel.joint = joint;
    kernel.tune = options.tune;
    set_features(options.parameters, kernel.low);
    kernel.whitening = whitening_of(options);
    set_from(options.parameters, "atoms", kernel.dictionary.atoms);
    set_from(options.parameters, "sparsity", kernel.dictionary.sparsity);
    set_from(options.parameters, "sweeps", kernel.dictionary.max_sweeps);
    set_from(options.parameters, "test-sparsity", kernel.test_sparsity);
    set_from(options.parameters, "low-width", kernel.low_width);
    set_from(options.parameters, "high-width", kernel.high_width);
    set_from(options.parameters, "lambda", kernel.dictionary.lambda);
    set_from(options.parameters, "update", kernel.dictionary.update,
             {{"mod", KernelUpdate::kMod},
              {"ksvd", KernelUpdate::kKsvd},
              {"approximate", KernelUpdate::kKsvd}});
    set_from(options.parameters, "kernel", kernel.kernel,
             {{"rbf", KernelKind::kRbf},
              {"polynomial", KernelKind::kPolynomial},
              {"linear", KernelKind::kLinear}});
    set_from(options.parameters, "joint-norm", kernel.dictionary.normalisation,
             {{"joint", JointNormalisation::kJoint}, {"paper", JointNormalisation::kPaper}});
    return std::make_unique<KernelSlrfr>(kernel);
  };
}

template <typename Method, typename Options>
Factory tuned_method(Options method) {
  return [method](const MethodOptions& options) {
    Options tuned = method;
    tuned.tune = options.tune;
    return std::make_unique<Method>(tuned);
  };
}

// With the relit gallery instead of the photos alone.
template <typename Options>
Options extended(Options options) {
  options.extended = true;
  return options;
}

Factory embedding_method(bool degraded) {
  return [degraded](const MethodOptions& options) {
    std::filesystem::path network = options.embedding;
    if (network.empty()) network = installed_face_network_file().value_or("");
    return std::make_unique<Embedding>(EmbeddingOptions{network, degraded});
  };
}

Factory life_method(const char* name, const char* part, const LifeTable& (*table)()) {
  return [=](const MethodOptions&) { return std::make_unique<LifePlda>(name, part, table()); };
}

Factory longshot_method(bool life) {
  return [life](const MethodOptions& options) {
    LongshotOptions longshot;
    longshot.life = life;
    if (options.parameters.contains("life-weight")) {
      double weight = 0.0;
      set_from(options.parameters, "life-weight", weight);
      longshot.life_weight = weight;
    }
    longshot.tune = options.tune;
    set_whitening(options.parameters, longshot.whitening);
    set_from(options.parameters, "atoms", longshot.person.dimensions);
    set_from(options.parameters, "spread", longshot.person.spread);
    set_from(options.parameters, "nearest", longshot.person.nearest);
    set_from(options.parameters, "samples", longshot.relit_samples,
             {{"relit", true}, {"photo", false}});
    set_from(options.parameters, "choice", longshot.choice,
             {{"none", DegradationChoice::kNone},
              {"probe", DegradationChoice::kProbe},
              {"batch", DegradationChoice::kBatch}});
    return std::make_unique<Longshot>(longshot);
  };
}

const std::vector<std::pair<std::string, Factory>>& factories() {
  static const std::vector<std::pair<std::string, Factory>> list = {
      {"longshot", longshot_method(true)},
      {"longshot-pixels", longshot_method(false)},
      {"plda", life_method("plda", "gradients", gradient_table)},
      {"net", life_method("net", "network", network_table)},
      {"slrfr", subspace_method(SubspaceKind::kDictionary)},
      {"kernel", kernel_method(false)},
      {"joint", kernel_method(true)},
      {"subspace", subspace_method(SubspaceKind::kSvd)},
      {"affine", subspace_method(SubspaceKind::kAffine)},
      {"pca", tuned_method<PcaNearest>(PcaNearestOptions())},
      {"pca-ext", tuned_method<PcaNearest>(extended(PcaNearestOptions()))},
      {"clpm", tuned_method<Clpm>(ClpmOptions())},
      {"clpm-ext", tuned_method<Clpm>(extended(ClpmOptions()))},
      {"mds", tuned_method<Mds>(MdsOptions())},
      {"s2r2", tuned_method<S2r2>(S2r2Options())},
      {"vlr", tuned_method<Vlr>(VlrOptions())},
      {"rda", tuned_method<Rda>(RdaOptions())},
      {"src", tuned_method<Src>(SrcOptions())},
      {"crc", tuned_method<Crc>(CrcOptions())},
      {"lbph", tuned_method<Lbph>(LbphOptions())},
      {"embedding", embedding_method(true)},
      {"embedding-hr", embedding_method(false)},
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

const std::map<std::string, std::string>& parameter_names() {
  static const std::map<std::string, std::string> names = {
      {"atoms", "K, atoms per person"},
      {"sparsity", "T0, atoms per training sample"},
      {"test-sparsity", "T, atoms per probe; 0: all"},
      {"sweeps", "of dictionary learning"},
      {"low-width", "kernel width at low resolution, in median squared distances"},
      {"high-width", "kernel width at high resolution, likewise"},
      {"lambda", "weight of the low resolution in joint"},
      {"update", "mod, ksvd or approximate"},
      {"kernel", "rbf, polynomial or linear"},
      {"joint-norm", "joint or paper"},
      {"normalisation", "none, unit, zero-mean or root"},
      {"centre", "yes or no: subtract the training mean"},
      {"noise", "sensor noise that whitening expects, in units of the mean intensity"},
      {"moved", "registration error that whitening expects, in widths of the face"},
      {"relit", "weight of the relit photos in whitening"},
      {"generic", "photos that the built-in statistics count for in whitening"},
      {"spread", "variance along a person's subspace, in units of the relit photos' own"},
      {"nearest", "weight of the nearest relit photo"},
      {"life-weight", "weight of network and gradients beside pixels in longshot"},
      {"samples", "relit or photo: what longshot enrols a person with"},
      {"prior", "trained, builtin or local: what the albedo of a face is expected to be"},
      {"choice", "none, probe or batch: how the degradation of probes is found out"},
      {"lights", "5, 9, 10, 28 or az:el,... to relight with"},
      {"original", "yes or no: keep the photo itself"},
      {"mirroring", "none, flip, light or both"},
      {"ambient", "light from everywhere when relighting"},
      {"shadows", "yes or no: cast shadows when relighting"},
      {"light", "paper, single or several: how a photo's light is estimated"},
  };
  return names;
}

void MethodOptions::check() const {
  for (const auto& [name, value] : parameters) {
    if (!parameter_names().contains(name)) {
      std::vector<std::string> known;
      for (const auto& [parameter, meaning] : parameter_names()) known.push_back(parameter);
      throw Error("\"{}\" is not a parameter: use one of {}.", name, fmt::join(known, ", "));
    }
  }
  relight_options(*this, ten_lights());
  albedo_knowledge(*this);
}

RelightOptions relight_options(const MethodOptions& options,
                               const std::vector<LightDirection>& lights) {
  RelightOptions relight;
  if (options.profile == Profile::kBest) {
    relight = best_profile();
  } else {
    relight = paper_profile();
    relight.lights = lights;
  }
  const Parameters& parameters = options.parameters;
  if (parameters.contains("lights")) relight.lights = parse_lights(parameters.at("lights"));
  set_from(parameters, "original", relight.keep_original, {{"yes", true}, {"no", false}});
  set_from(parameters, "shadows", relight.cast_shadows, {{"yes", true}, {"no", false}});
  set_from(parameters, "ambient", relight.ambient);
  set_from(parameters, "mirroring", relight.mirroring,
           {{"none", Mirroring::kNone},
            {"flip", Mirroring::kFlip},
            {"light", Mirroring::kMirrorLight},
            {"both", Mirroring::kBoth}});
  set_from(parameters, "light", relight.light_method,
           {{"paper", LightMethod::kPaper},
            {"single", LightMethod::kSingle},
            {"several", LightMethod::kSeveral}});
  if (relight.light_method != LightMethod::kPaper) relight.albedo.match_scale = false;
  relight.check();
  return relight;
}

AlbedoKnowledge albedo_knowledge(const MethodOptions& options) {
  AlbedoKnowledge known = AlbedoKnowledge::kTrained;
  set_from(options.parameters, "prior", known,
           {{"trained", AlbedoKnowledge::kTrained},
            {"builtin", AlbedoKnowledge::kBuiltin},
            {"local", AlbedoKnowledge::kLocal}});
  return known;
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
  options.check();
  for (const auto& [known, factory] : factories()) {
    if (name == known) return factory(options);
  }
  throw Error("\"{}\" is not a method: use one of {}.", name, fmt::join(method_names(), ", "));
}

}  // namespace longshot
