// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace longshot {

// Things that serve one thread at a time, as many as threads ask for at once. Nothing is locked
// while one is lent, as its work may wait for other work of the same pool.
template <typename Thing>
class LendingPool {
 public:
  explicit LendingPool(std::function<std::unique_ptr<Thing>()> make) : make_(std::move(make)) {}

  // Calls use(thing) with one that nobody else uses meanwhile.
  template <typename Use>
  auto lend(const Use& use) const {
    struct Return {
      const LendingPool& pool;
      std::unique_ptr<Thing> thing;
      ~Return() {
        const std::lock_guard<std::mutex> lock(pool.mutex_);
        pool.free_.push_back(std::move(thing));
      }
    } lent{*this, take()};
    return use(*lent.thing);
  }

 private:
  std::unique_ptr<Thing> take() const {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Thing> last = std::move(free_.back());
        free_.pop_back();
        return last;
      }
    }
    return make_();
  }

  std::function<std::unique_ptr<Thing>()> make_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Thing>> free_;  // guarded by mutex_
};

}  // namespace longshot
