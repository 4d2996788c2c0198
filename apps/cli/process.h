// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace longshot::cli {

// Before anything else: no file that is opened later may become standard output or error where
// those are closed, and a file that grows beyond the user's limit is an error, not an end that
// leaves a part of it. A limit of the address space that is too small for the libraries ends the
// program with one sentence earlier still.
void prepare_process();

}  // namespace longshot::cli
