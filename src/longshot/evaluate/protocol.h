// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/dataset/dataset.h"
#include "longshot/relight/light_sets.h"

namespace longshot {

enum class ProtocolKind { kFrgc, kPie, kAr, kOutdoor, kYaleB, kRoles };

ProtocolKind parse_protocol(std::string_view text);  // throws Error for an unknown name
std::string to_string(ProtocolKind kind);

// Everything is an index into the data set's samples.
struct Run {
  std::string label;           // what is special about this run, such as the gallery's light
  std::vector<Index> gallery;  // photos; several of one subject make one person
  std::vector<Index> probes;   // of enrolled people
  Index camera = -1;           // simulated camera before the probes; -1: none
};

struct Draw {
  std::vector<Index> train;  // photos of people who are in no run
  std::vector<Index>
      gallery_like;  // those among `train` that look like gallery photos; may be empty
  std::vector<Run> runs;
};

// An experiment as an explicit list of what is trained on, enrolled and identified.
struct ProtocolPlan {
  ProtocolKind kind = ProtocolKind::kRoles;
  std::vector<Draw> draws;
  std::vector<LightDirection> lights;  // the paper's light set for these data
};

struct ProtocolOptions {
  Index draws = 1;  // random repetitions, >= 1; protocols without chance have one
  std::uint64_t seed = 1;
  bool swap_halves = false;    // train on the second half of the subjects and test on the first
  bool corresponding = false;  // ar: only the same image of the other session is a probe

  void check() const;
};

// Splits the data set as the paper does (docs/method.md, "Protocols"):
//   pie      first half of the subjects, 6 random lights: train; the others' 15 lights: each in
//   turn
//            is the gallery, the other 14 are probes
//   yaleb    first half of the subjects train; gallery A+000E+00 of the others, all their other
//            lights are probes
//   ar       first 30 % of the subjects (session 1) train; gallery image v of session 1, probes
//            session 2
//   frgc, outdoor, roles   the manifest's role column says all
// Throws Error, saying what is missing, if the data set does not fit.
ProtocolPlan plan_protocol(ProtocolKind kind, const Dataset& dataset,
                           const ProtocolOptions& options = {});

// Writes one manifest per run: folder/draw1-run01.csv, ... with the column role.
void save_plan(const ProtocolPlan& plan, const Dataset& dataset,
               const std::filesystem::path& folder);

}  // namespace longshot
