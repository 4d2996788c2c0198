// SPDX-License-Identifier: Apache-2.0
#include "self_description.h"

#include <cstdio>

#include "completion.h"
#include "context.h"
#include "manual.h"

namespace longshot::cli {

std::optional<int> describe_itself(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.size() < 3) return std::nullopt;
  if (arguments[1] == "complete") {
    // As it is, with its tabs, unlike results.
    std::fputs(to_text(complete(app, {arguments.begin() + 2, arguments.end()})).c_str(), stdout);
    return kDone;
  }
  if (arguments[1] == "manual" && arguments.size() == 3) {
    write_manual(app, arguments[2]);
    return kDone;
  }
  return std::nullopt;
}

}  // namespace longshot::cli
