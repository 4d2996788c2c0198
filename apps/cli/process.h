// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace longshot::cli {

// Before anything else: no file that is opened later may become standard output or error where
// those are closed, and a file that grows beyond the user's limit is an error, not an end that
// leaves a part of it. A limit of the address space that is too small for the libraries ends the
// program with one sentence earlier still.
void prepare_process();

// From now on the system writes no core dump of this process, and no other process of the user may
// look into it: names and faces of an encrypted gallery are in its memory while it is open.
void keep_memory_private();

}  // namespace longshot::cli
