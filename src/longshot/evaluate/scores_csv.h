// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "longshot/image/image.h"

namespace longshot {

// What was decided about one probe of an experiment.
struct ProbeScores {
  struct Candidate {
    std::string person;
    double distance = 0.0;
    double score = 0.0;
  };

  std::string method;
  Size size;
  double noise = 0.0;  // grey levels of 255
  std::string run;
  std::string probe;   // path
  std::string person;  // who is on it
  bool enrolled = false;
  bool known = false;  // the decision
  std::vector<Candidate> candidates;
};

// One line per probe, with a header: method, size, noise, run, probe, person, whether the person is
// enrolled, decision (a name, or "unknown"), then person, distance and score of ten candidates.
// Names and paths are written so that neither a reader of CSV nor a spreadsheet takes them for
// anything else.
std::string scores_csv(const std::vector<ProbeScores>& probes);

}  // namespace longshot
