// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "commands.h"

namespace longshot::cli {

// Adds split, merge, add-shard and rebalance to `longshot gallery`, each with what it does.
std::vector<std::pair<CLI::App*, Action>> add_shards_parts(CLI::App& group, Context& context);

}  // namespace longshot::cli
