// SPDX-License-Identifier: Apache-2.0
#include "longshot/speed/machine_speed.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

TEST(MachineSpeed, RatesAreThoseOfAComputer) {
  const double products = sgemm_gflops();
  EXPECT_GT(products, 0.1);
  EXPECT_LT(products, 1e6);
  const double bytes = read_bytes_per_second(1 << 24);
  EXPECT_GT(bytes, 1e7);
  EXPECT_LT(bytes, 1e14);
}

TEST(MachineSpeed, FilesAreReadAndMissingOnesAreNamed) {
  const double all = read_file_seconds("/proc/self/exe", 1 << 20);
  EXPECT_GT(all, 0.0);
  EXPECT_LT(all, 60.0);
  EXPECT_THROW(read_file_seconds("/nonexistent", 1), Error);
}

TEST(MachineSpeed, PeakMemoryGrowsWithWhatIsTaken) {
  constexpr Index kTaken = 64 << 20;
  const std::vector<char> taken(static_cast<std::size_t>(peak_memory() + kTaken), 'x');
  EXPECT_GE(peak_memory(), static_cast<Index>(taken.size()));
}

}  // namespace
}  // namespace longshot
