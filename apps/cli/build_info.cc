// SPDX-License-Identifier: Apache-2.0
#include "build_info.h"

#include <fmt/format.h>

#include "longshot/longshot.h"

namespace longshot::cli {

std::string commit() {
  return LONGSHOT_COMMIT;
}

std::string version_line() {
  return fmt::format("longshot {} (commit {}, {})", version(),
                     commit().empty() ? "unknown" : commit(), instruction_set());
}

}  // namespace longshot::cli
