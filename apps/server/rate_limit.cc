// SPDX-License-Identifier: Apache-2.0
#include "rate_limit.h"

#include <algorithm>

namespace longshot::server {
namespace {

constexpr double kSecondsAtOnce = 2.0;
constexpr std::size_t kClientsRemembered = 10'000;

}  // namespace

bool RateLimit::allows(const std::string& client, Clock::time_point now) {
  if (per_second_ <= 0.0) return true;
  const double full = std::max(1.0, kSecondsAtOnce * per_second_);
  const std::lock_guard lock(mutex_);
  if (buckets_.size() >= kClientsRemembered) {
    // Those who asked nothing for so long are full again, as if they were new.
    std::erase_if(buckets_, [&](const auto& one) {
      return std::chrono::duration<double>(now - one.second.at).count() > full / per_second_;
    });
    if (buckets_.size() >= kClientsRemembered) buckets_.clear();
  }
  Bucket& bucket = buckets_.try_emplace(client, Bucket{full, now}).first->second;
  const double passed = std::chrono::duration<double>(now - bucket.at).count();
  bucket.left = std::min(full, bucket.left + passed * per_second_);
  bucket.at = now;
  if (bucket.left < 1.0) return false;
  bucket.left -= 1.0;
  return true;
}

}  // namespace longshot::server
