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
#ifdef LONGSHOT_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

#include "longshot/core/error.h"
#include "longshot/core/interrupt.h"

namespace longshot {
namespace {

std::mutex policy_mutex;

std::unique_ptr<tbb::global_control>& thread_limit() {
  static std::unique_ptr<tbb::global_control> limit;
  return limit;
}

// ThreadSanitizer cannot see into oneTBB, and has to be told what that promises: bodies see all
// that was written before their loop, and what follows the loop sees all that they wrote.
#ifdef LONGSHOT_THREAD_SANITIZER
class LoopOrder {
 public:
  LoopOrder() { __tsan_release(&begin_); }
  ~LoopOrder() { __tsan_acquire(&end_); }
  LoopOrder(const LoopOrder&) = delete;
  LoopOrder& operator=(const LoopOrder&) = delete;

  class Body {
   public:
    explicit Body(LoopOrder& order) : order_(order) { __tsan_acquire(&order_.begin_); }
    ~Body() { __tsan_release(&order_.end_); }
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;

   private:
    LoopOrder& order_;
  };

 private:
  char begin_ = 0;  // only their addresses matter
  char end_ = 0;
};
#else
struct LoopOrder {
  struct Body {
    explicit Body(LoopOrder& /*order*/) {}
  };
};
#endif

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
  LoopOrder order;
  InterruptScope* const scope = InterruptScope::current();
  tbb::parallel_for(Index{0}, blocks, [&](Index b) {
    [[maybe_unused]] const LoopOrder::Body ordered(order);
    const InterruptScope::Inherit inherit(scope);
    if (scope != nullptr) scope->poll();
    body(b * block, std::min(count, (b + 1) * block));
  });
}

void parallel_for(Index count, const std::function<void(Index)>& body) {
  parallel_blocks(count, 1, [&](Index i, Index /*end*/) { body(i); });
}

}  // namespace longshot
