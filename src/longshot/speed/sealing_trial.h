// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "longshot/core/progress.h"
#include "longshot/speed/speed_trial.h"

namespace longshot {

// Measures what encryption costs: the same people in a plain and in an encrypted gallery, in turn.
// Seconds are those of the processors, of all threads together, so that other work on the machine
// and the speed of its disk hardly count.

struct PlainAndSealed {
  double plain = 0.0;
  double sealed = 0.0;

  double ratio() const { return sealed / plain; }
};

struct MethodSealing {
  std::string method;
  PlainAndSealed enroll_s;        // everybody, photo and index
  PlainAndSealed first_answer_s;  // opening the gallery, and one probe; the least of five
  PlainAndSealed probe_s;         // one probe of a hundred, in memory; the least of five
};

struct SealingReport {
  Index people = 0;
  Size size;
  PlainAndSealed store_s;  // everybody, photo alone
  std::vector<MethodSealing> methods;
};

// The galleries are temporary ones. Throws Error for options that cannot be, and where the
// galleries cannot be written.
SealingReport measure_sealing(const SpeedOptions& options, Progress& progress = no_progress());

}  // namespace longshot
