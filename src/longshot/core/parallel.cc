// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/parallel.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <mutex>

#include <cblas.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

std::mutex policy_mutex;

std::unique_ptr<tbb::global_control>& thread_limit() {
  static std::unique_ptr<tbb::global_control> limit;
  return limit;
}

}  // namespace

void set_thread_count(int count) {
  if (count < 0) throw Error("The number of threads must be 0 (all cores) or more, not {}.", count);
  const std::lock_guard<std::mutex> lock(policy_mutex);
  openblas_set_num_threads(1);
  thread_limit().reset();
  if (count > 0) {
    thread_limit() = std::make_unique<tbb::global_control>(
        tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count));
  }
}

int thread_count() {
  const std::size_t allowed =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return std::min(static_cast<int>(allowed), std::max(1, tbb::info::default_concurrency()));
}

void parallel_blocks(Index count, Index block, const std::function<void(Index, Index)>& body) {
  assert(block > 0);
  const Index blocks = (count + block - 1) / block;
  tbb::parallel_for(Index{0}, blocks,
                    [&](Index b) { body(b * block, std::min(count, (b + 1) * block)); });
}

void parallel_for(Index count, const std::function<void(Index)>& body) {
  tbb::parallel_for(Index{0}, count, [&](Index i) { body(i); });
}

}  // namespace longshot
