// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "longshot/evaluate/experiment.h"
#include "longshot/evaluate/protocol.h"

namespace longshot {

// One result as all documents and reports hold it; rates in percent.
nlohmann::ordered_json result_json(const ExperimentResult& result);

// The document of an experiment.
std::string experiment_json(const Experiment& experiment, ProtocolKind protocol,
                            const ExperimentOptions& options, Index draws);

// One line per method, size and noise level, with a header.
std::string experiment_csv(const Experiment& experiment);

// To a whole number of 1 / `digits`: more digits are noise, and make files larger.
double rounded(double value, double digits = 1e4);

}  // namespace longshot
