// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "longshot/evaluate/experiment.h"

namespace longshot::cli {

// One line per method, size and noise level, with a header.
std::string result_table(const Experiment& experiment);

// False positives asked for and measured, where decisions were counted; otherwise empty.
std::string decision_table(const Experiment& experiment);

// What people call the data at a path: the folder of a manifest, otherwise the last name.
std::string data_name(const std::string& path);

// The arguments as they would be typed into a shell, beginning with the program's bare name.
std::string command_line(const std::vector<std::string>& arguments);

// "2026-01-31 12:00 UTC".
std::string today();

}  // namespace longshot::cli
