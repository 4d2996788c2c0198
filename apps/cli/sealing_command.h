// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "commands.h"

namespace longshot::cli {

// Adds encrypt, decrypt and rekey to `longshot gallery`, each with what it does.
std::vector<std::pair<CLI::App*, Action>> add_sealing_parts(CLI::App& group);

}  // namespace longshot::cli
