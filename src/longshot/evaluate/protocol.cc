// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/protocol.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/core/random.h"
#include "longshot/dataset/manifest.h"

namespace longshot {
namespace {

constexpr std::array<std::pair<std::string_view, ProtocolKind>, 6> kNames = {{
    {"frgc", ProtocolKind::kFrgc},
    {"pie", ProtocolKind::kPie},
    {"ar", ProtocolKind::kAr},
    {"outdoor", ProtocolKind::kOutdoor},
    {"yaleb", ProtocolKind::kYaleB},
    {"roles", ProtocolKind::kRoles},
}};
constexpr Index kPieTrainingLights = 6;

// Sample indices of each subject, subjects in sorted order.
using BySubject = std::map<std::string, std::vector<Index>>;

BySubject by_subject(const Dataset& dataset) {
  BySubject subjects;
  for (std::size_t i = 0; i < dataset.samples.size(); ++i) {
    subjects[dataset.samples[i].subject].push_back(static_cast<Index>(i));
  }
  return subjects;
}

const Sample& at(const Dataset& dataset, Index i) {
  return dataset.samples[static_cast<std::size_t>(i)];
}

// The first `count` subjects train, the others test; swapped, the last ones train.
std::set<std::string> training_subjects(const BySubject& subjects, std::size_t count, bool swap) {
  std::vector<std::string> names;
  for (const auto& [name, samples] : subjects) names.push_back(name);
  if (swap) std::reverse(names.begin(), names.end());
  return {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count)};
}

void need_people(const BySubject& subjects, std::size_t least, std::string_view protocol) {
  if (subjects.size() < least) {
    throw Error("The protocol {} needs at least {} people, but the data set has {}.", protocol,
                least, subjects.size());
  }
}

ProtocolPlan plan_pie(const Dataset& dataset, const ProtocolOptions& options) {
  const BySubject subjects = by_subject(dataset);
  need_people(subjects, 4, "pie");
  std::set<std::string> conditions;
  for (const Sample& sample : dataset.samples) conditions.insert(sample.condition);
  const std::vector<std::string> lights(conditions.begin(), conditions.end());
  if (static_cast<Index>(lights.size()) < kPieTrainingLights + 2) {
    throw Error("The protocol pie needs at least {} lights (conditions), but the data set has {}.",
                kPieTrainingLights + 2, lights.size());
  }
  const std::set<std::string> training =
      training_subjects(subjects, subjects.size() / 2, options.swap_halves);

  ProtocolPlan plan{ProtocolKind::kPie, {}, ten_lights()};
  for (Index d = 0; d < options.draws; ++d) {
    Random random(options.seed, static_cast<std::uint64_t>(d));
    const std::vector<Index> order = random.permutation(static_cast<Index>(lights.size()));
    std::set<std::string> training_lights;
    for (Index k = 0; k < kPieTrainingLights; ++k) {
      training_lights.insert(lights[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])]);
    }
    Draw draw;
    std::map<std::string, Run> runs;
    for (const std::string& light : lights) {
      if (!training_lights.contains(light)) runs[light].label = light;
    }
    for (std::size_t i = 0; i < dataset.samples.size(); ++i) {
      const Sample& sample = dataset.samples[i];
      const bool train_light = training_lights.contains(sample.condition);
      if (training.contains(sample.subject)) {
        if (train_light) draw.train.push_back(static_cast<Index>(i));
      } else if (!train_light) {
        for (auto& [light, run] : runs) {
          (light == sample.condition ? run.gallery : run.probes).push_back(static_cast<Index>(i));
        }
      }
    }
    for (auto& [light, run] : runs) draw.runs.push_back(std::move(run));
    plan.draws.push_back(std::move(draw));
  }
  return plan;
}

ProtocolPlan plan_yaleb(const Dataset& dataset, const ProtocolOptions& options) {
  constexpr std::string_view kFrontal = "A+000E+00";
  const BySubject subjects = by_subject(dataset);
  need_people(subjects, 4, "yaleb");
  const std::set<std::string> training =
      training_subjects(subjects, subjects.size() / 2, options.swap_halves);
  Draw draw;
  Run run;
  run.label = kFrontal;
  for (std::size_t i = 0; i < dataset.samples.size(); ++i) {
    const Sample& sample = dataset.samples[i];
    if (sample.condition == "Ambient") continue;
    const auto index = static_cast<Index>(i);
    const bool frontal = sample.condition == kFrontal;
    if (training.contains(sample.subject)) {
      draw.train.push_back(index);
      if (frontal) draw.gallery_like.push_back(index);
    } else {
      (frontal ? run.gallery : run.probes).push_back(index);
    }
  }
  draw.runs.push_back(std::move(run));
  return {ProtocolKind::kYaleB, {std::move(draw)}, ten_lights()};
}

ProtocolPlan plan_ar(const Dataset& dataset, const ProtocolOptions& options) {
  const BySubject subjects = by_subject(dataset);
  need_people(subjects, 4, "ar");
  // 30 of 100 subjects in the paper.
  const std::set<std::string> training = training_subjects(
      subjects, std::max<std::size_t>(1, subjects.size() * 3 / 10), options.swap_halves);
  // The seven images without occlusion.
  std::set<std::string> views;
  for (const Sample& sample : dataset.samples) {
    if (sample.session == "1" && views.size() < 7) views.insert(sample.condition);
  }
  Draw draw;
  for (std::size_t i = 0; i < dataset.samples.size(); ++i) {
    const Sample& sample = dataset.samples[i];
    if (training.contains(sample.subject) && sample.session == "1" &&
        views.contains(sample.condition)) {
      draw.train.push_back(static_cast<Index>(i));
    }
  }
  for (const std::string& view : views) {
    Run run;
    run.label = "image " + view;
    for (std::size_t i = 0; i < dataset.samples.size(); ++i) {
      const Sample& sample = dataset.samples[i];
      if (training.contains(sample.subject) || !views.contains(sample.condition)) continue;
      if (sample.session == "1" && sample.condition == view) {
        run.gallery.push_back(static_cast<Index>(i));
      } else if (sample.session == "2" && (!options.corresponding || sample.condition == view)) {
        run.probes.push_back(static_cast<Index>(i));
      }
    }
    draw.runs.push_back(std::move(run));
  }
  return {ProtocolKind::kAr, {std::move(draw)}, ten_lights()};
}

ProtocolPlan plan_roles(ProtocolKind kind, const Dataset& dataset) {
  Draw draw;
  Run run;
  run.label = "all";
  for (std::size_t i = 0; i < dataset.samples.size(); ++i) {
    const auto index = static_cast<Index>(i);
    switch (dataset.samples[i].role) {
      case Role::kTrain:
        draw.train.push_back(index);
        break;
      case Role::kGallery:
        run.gallery.push_back(index);
        break;
      case Role::kProbe:
        run.probes.push_back(index);
        break;
      case Role::kUnspecified:
        break;
    }
  }
  if (run.gallery.empty() || run.probes.empty()) {
    throw Error(
        "The protocol {} needs a manifest.csv whose column role says gallery and probe (and "
        "train).",
        to_string(kind));
  }
  draw.runs.push_back(std::move(run));
  return {kind, {std::move(draw)}, kind == ProtocolKind::kFrgc ? five_lights() : ten_lights()};
}

void check_plan(const ProtocolPlan& plan, const Dataset& dataset) {
  for (const Draw& draw : plan.draws) {
    std::set<std::string> trained;
    for (const Index i : draw.train) trained.insert(at(dataset, i).subject);
    for (const Run& run : draw.runs) {
      if (run.gallery.empty() || run.probes.empty()) {
        throw Error("The run \"{}\" of {} has no gallery or no probes; does the data set fit?",
                    run.label, to_string(plan.kind));
      }
      for (const Index i : run.gallery) {
        if (trained.contains(at(dataset, i).subject)) {
          throw Error(
              "{} is both in the training set and in the gallery; a result would mean "
              "nothing.",
              at(dataset, i).subject);
        }
      }
    }
  }
}

}  // namespace

ProtocolKind parse_protocol(std::string_view text) {
  for (const auto& [name, kind] : kNames) {
    if (text == name) return kind;
  }
  throw Error("\"{}\" is not a protocol: use frgc, pie, ar, outdoor, yaleb or roles.", text);
}

std::string to_string(ProtocolKind kind) {
  for (const auto& [name, candidate] : kNames) {
    if (kind == candidate) return std::string(name);
  }
  return "roles";
}

void ProtocolOptions::check() const {
  if (draws < 1) throw Error("draws must be at least 1, not {}.", draws);
}

ProtocolPlan plan_protocol(ProtocolKind kind, const Dataset& dataset,
                           const ProtocolOptions& options) {
  options.check();
  ProtocolPlan plan;
  switch (kind) {
    case ProtocolKind::kPie:
      plan = plan_pie(dataset, options);
      break;
    case ProtocolKind::kYaleB:
      plan = plan_yaleb(dataset, options);
      break;
    case ProtocolKind::kAr:
      plan = plan_ar(dataset, options);
      break;
    case ProtocolKind::kFrgc:
    case ProtocolKind::kOutdoor:
    case ProtocolKind::kRoles:
      plan = plan_roles(kind, dataset);
      break;
  }
  check_plan(plan, dataset);
  return plan;
}

void save_plan(const ProtocolPlan& plan, const Dataset& dataset,
               const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (std::size_t d = 0; d < plan.draws.size(); ++d) {
    const Draw& draw = plan.draws[d];
    for (std::size_t r = 0; r < draw.runs.size(); ++r) {
      std::vector<Sample> samples;
      const auto add = [&](const std::vector<Index>& indices, Role role) {
        for (const Index i : indices) {
          samples.push_back(at(dataset, i));
          samples.back().path = std::filesystem::absolute(samples.back().path);
          samples.back().role = role;
        }
      };
      add(draw.train, Role::kTrain);
      add(draw.runs[r].gallery, Role::kGallery);
      add(draw.runs[r].probes, Role::kProbe);
      write_manifest(folder / fmt::format("draw{}-run{:02}.csv", d + 1, r + 1), samples);
    }
  }
}

}  // namespace longshot
