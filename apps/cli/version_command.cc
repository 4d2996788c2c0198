// SPDX-License-Identifier: Apache-2.0
#include "build_info.h"
#include "commands.h"

namespace longshot::cli {

Action add_version(CLI::App& app, Context& /*context*/) {
  add_command(app, "version", "Print version, commit and instruction set.", "longshot version");
  return [] {
    print_result(version_line() + "\n");
    return kDone;
  };
}

}  // namespace longshot::cli
