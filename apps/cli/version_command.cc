// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "commands.h"

namespace longshot::cli {

Action add_version(CLI::App& app, Context& /*context*/) {
  add_command(app, "version", "Print the version.", "longshot version");
  return [] {
    print_result(fmt::format("longshot {}\n", version()));
    return kDone;
  };
}

}  // namespace longshot::cli
