// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include "commands.h"
#include "sealing_command.h"

namespace longshot::cli {

Action add_gallery(CLI::App& app, Context& /*context*/) {
  CLI::App* group = add_command(app, "gallery", "Encrypt and decrypt a gallery, change its key.",
                                "longshot gallery encrypt people.gallery --key-file people.key");
  group->require_subcommand(1);
  const std::vector<std::pair<CLI::App*, Action>> parts = add_sealing_parts(*group);
  return [parts] {
    return std::ranges::find_if(parts, [](const auto& part) { return part.first->parsed(); })
        ->second();
  };
}

}  // namespace longshot::cli
