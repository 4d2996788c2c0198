// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "longshot/recognize/method.h"

namespace longshot {

// Open-set statistics (ratio) of probes of people who are not enrolled, measured on the training
// people alone, as a user would set a threshold: a method learns from one half of them; of the
// other half each photo of a person is looked up among at most `people` others, enrolled with one
// photo each; and the other way round. Empty for a method whose distances depend on who else is
// enrolled, or with fewer than 3 people in a half.
Vector training_impostors(const std::string& method, const MethodOptions& options,
                          const TrainingSet& training, Index people, std::uint64_t seed);

}  // namespace longshot
