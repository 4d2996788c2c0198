// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/decide/background.h"
#include "longshot/decide/calibration.h"
#include "longshot/decide/crowd.h"
#include "longshot/decide/strangers.h"

namespace longshot {

// Finds out how near strangers come to the enrolled people, for a gallery and for an experiment
// alike: from the enrolled people, the recogniser that has learnt, how it sees photos, and the
// background with its probes.
// - Fewer enrolled people than kFewestPeople, or no more than there are training people, are not
//   asked: each of the background's people in turn counts as absent and is searched among the
//   others, with the enrolled people beside them where both are photographs.
// - From then on strangers are the enrolled people themselves, and the training people where there
//   are some, each counting as absent and searched among everybody else, so that the number of
//   people is the right one.
// Measured in docs/results.md, "Open set". `days` are those that the crowd's distances are for.
Calibration calibrate_crowd(const Crowd& crowd, const Recognizer& recognizer,
                            const Extender& extender, const Background& background,
                            Days days = Days::kUnknown);

// What strangers have in common: the log ratios that the nearest of all people have for them, and
// which share of them is nearest to somebody enrolled.
struct StrangerRatios {
  Vector log_ratios;
  double share = 1.0;
};

// Besides the ratio of the second to the first distance also those of the next ones are taken, in
// its scale: where distances are small enough to fall off like a power, j log(d(j+1) / d(j)) has
// the same exponential distribution for j = 1, 2, ... however many people there are (Renyi 1953;
// Hill 1975). Sums of evidence fall off faster, and their means grow with j: by about the same
// factor from each j to the next, which is found and divided out. It makes four values of one
// stranger. `enrolled` are the nearest people of each stranger, at least 6 where there are so many;
// `background` is background people x strangers.
StrangerRatios stranger_ratios(const Strangers& strangers, const Matches& enrolled,
                               const MatrixRef& background, double zero);

// How many people, spread over the crowd, stand for the others when one is verified.
inline constexpr Index kPanel = 200;

}  // namespace longshot
