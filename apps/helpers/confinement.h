// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longshot::helper {

// A helper confines itself in three steps, before it looks at a byte of what it was given. What is
// forbidden then fails with an error, so that libraries that merely try go on.

// At its start: closes whatever it inherited besides the socket and the file; no more than so many
// bytes of memory, no core dump, no new privileges.
void limit_self(std::int64_t max_memory);

// Once its libraries are loaded: no network, no other process, no writing to files. Files may still
// be opened for reading. On Linux for x86-64 and arm64; elsewhere only what limit_self() does.
void forbid_world();

// Once its file is open: nothing more is opened.
void forbid_opening();

}  // namespace longshot::helper
