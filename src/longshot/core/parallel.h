// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "longshot/core/matrix.h"

namespace longshot {

// The one thread policy: our loops run on oneTBB, BLAS is single-threaded inside them. Ranges are
// cut into blocks whose size the caller fixes, never the thread count, so every product has the
// same shape, and every result the same bits, for any number of threads.

// Threads used by all later parallel work in this process; 0 means all cores. Throws Error if < 0.
void set_thread_count(int count);
int thread_count();

// Calls body(begin, end) for consecutive blocks of `block` indices that cover [0, count).
// An exception thrown by the body reaches the caller.
void parallel_blocks(Index count, Index block, const std::function<void(Index, Index)>& body);

// Calls body(i) for every i in [0, count).
void parallel_for(Index count, const std::function<void(Index)>& body);

}  // namespace longshot
