// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "longshot/evaluate.h"

namespace longshot::cli {

// One line per method, size and noise level, with a header.
std::string result_table(const std::vector<MethodResult>& results);

// False positives asked for and measured, where decisions were counted; otherwise empty.
std::string decision_table(const std::vector<MethodResult>& results);

// The arguments as they would be typed into a shell, beginning with the program's bare name.
std::string command_line(const std::vector<std::string>& arguments);

}  // namespace longshot::cli
