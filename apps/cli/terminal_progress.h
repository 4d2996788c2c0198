// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "longshot/core/progress.h"

namespace longshot::cli {

// A bar with the time left on a terminal, plain lines every few seconds otherwise, nothing if
// quiet; all on stderr. Its advance() throws Cancelled after Ctrl-C.
std::unique_ptr<Progress> make_terminal_progress(bool quiet);

// Lets the first Ctrl-C (SIGINT) or SIGTERM end the work cleanly; a second one ends the program.
void catch_interrupts();

}  // namespace longshot::cli
