// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/blas.h"

#include <cblas.h>
#include <gtest/gtest.h>

#include "longshot/core/parallel.h"

namespace longshot {
namespace {

TEST(SingleThreadedBlas, LeavesTheNumberOfThreadsAsItWas) {
  openblas_set_num_threads(2);
  const int before = openblas_get_num_threads();
  {
    const SingleThreadedBlas outer;
    EXPECT_EQ(openblas_get_num_threads(), 1);
    {
      const SingleThreadedBlas inner;
      EXPECT_EQ(openblas_get_num_threads(), 1);
    }
    EXPECT_EQ(openblas_get_num_threads(), 1);
  }
  EXPECT_EQ(openblas_get_num_threads(), before);
  set_thread_count(0);
  EXPECT_EQ(openblas_get_num_threads(), 1);
}

}  // namespace
}  // namespace longshot
