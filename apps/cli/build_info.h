// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace longshot::cli {

std::string commit();        // twelve digits of the commit of the sources; empty: unknown
std::string version_line();  // "longshot 0.1.0 (commit 0123456789ab, avx2)"

}  // namespace longshot::cli
