// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longshot::helper {

// A helper confines itself in three steps, before it looks at a byte of what it was given. What is
// forbidden then fails with an error, so that libraries that merely try go on.

// At its start: closes whatever it inherited besides the socket and the file; no more than so many
// bytes of memory, no core dump, no new privileges.
void limit_self(std::int64_t max_memory);

// From now on so many seconds of processor time, then it is killed by SIGXCPU.
void limit_time(double seconds);

// Once its libraries are loaded: no network, no other process, no writing to files. Files may still
// be opened for reading. On Linux for x86-64 and arm64; elsewhere only what limit_self() does.
void forbid_world();

// Once its file is open: nothing more is opened.
void forbid_opening();
// Once it has all its bytes: nothing more is opened or read, so that what somebody else is asked
// over the same socket stays unseen.
void forbid_input();

}  // namespace longshot::helper
