// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "longshot/core/matrix.h"

namespace longshot {

// What this machine can do at best, to measure ourselves against.

// Of the matrix products of OpenBLAS in single precision with all our threads: 10^9 operations per
// second, two per multiply-add, the best of several large square products.
double sgemm_gflops();

// Bytes per second that all our threads read from a block of memory together, the best of several.
double read_bytes_per_second(Index bytes);

// Fills the processor's caches with something else, as they are for a user who has just come.
void forget_processor_caches();

// Seconds to read the first `bytes` of a file, one piece after the other, as `cat` does. Throws
// Error where it cannot be read.
double read_file_seconds(const std::filesystem::path& path, Index bytes);

// Drops a file from the memory of the operating system, where it lets us.
void forget_file_cache(const std::filesystem::path& path);

// What all threads of this process have worked so far, in seconds. Unlike the clock, it hardly
// counts what else the machine does.
double processor_seconds();

// The most memory that this process has ever had, in bytes.
Index peak_memory();

}  // namespace longshot
