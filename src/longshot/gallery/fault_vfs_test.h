// SPDX-License-Identifier: Apache-2.0
#pragma once

// For the tests of faults: the system's file access, and the memory of C++, SQLite and OpenSSL, of
// which the n-th use fails, or ends the process, or takes everything with it that was not yet safe
// on the disk.

#include <cstdint>
#include <string>

namespace longshot::faults {

enum class Kind {
  kFail,        // that one use, as if the disk could not
  kFailOn,      // that one and all after it
  kKill,        // the process ends there, as by kill -9
  kPowerLoss,   // and what was not synced is lost
  kHalfLost,    // and of what was not synced, every other write
  kAllocation,  // the n-th allocation of SQLite or OpenSSL, or by operator new, fails
};

// Makes it the default, below which nothing of ours stands. To be called before SQLite is used.
bool install();

// From now on the point-th use has that fault; 0 only counts.
void arm(Kind kind, std::int64_t point);
// Uses since arm(), files or allocations as its kind says.
std::int64_t disarm();

}  // namespace longshot::faults
