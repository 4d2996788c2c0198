// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/scores_csv.h"

#include <fmt/format.h>

#include "longshot/dataset/csv.h"
#include "longshot/evaluate/decision_trial.h"

namespace longshot {
std::string scores_csv(const std::vector<ProbeScores>& probes) {
  std::string text = "method,size,noise,run,probe,person,enrolled,decision";
  for (Index k = 1; k <= kShownCandidates; ++k) {
    text += fmt::format(",candidate_{0},distance_{0},score_{0}", k);
  }
  text += '\n';
  for (const ProbeScores& probe : probes) {
    const bool known = probe.known && !probe.candidates.empty();
    text +=
        fmt::format("{},{},{:g},{},{},{},{},{}", table_cell(probe.method), to_string(probe.size),
                    probe.noise, table_cell(probe.run), table_cell(probe.probe),
                    table_cell(probe.person), probe.enrolled ? "yes" : "no",
                    known ? table_cell(probe.candidates.front().person) : "unknown");
    for (std::size_t k = 0; k < static_cast<std::size_t>(kShownCandidates); ++k) {
      if (k < probe.candidates.size()) {
        const ProbeScores::Candidate& candidate = probe.candidates[k];
        text += fmt::format(",{},{:.9g},{:.9g}", table_cell(candidate.person), candidate.distance,
                            candidate.score);
      } else {
        text += ",,,";
      }
    }
    text += '\n';
  }
  return text;
}

}  // namespace longshot
