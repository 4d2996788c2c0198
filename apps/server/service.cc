// SPDX-License-Identifier: Apache-2.0
#include "service.h"

#include <algorithm>

namespace longshot::server {

PixelBudget::Share::Share(PixelBudget& budget, std::size_t pixels)
    : budget_(budget), pixels_(std::min(pixels, budget.all_)) {
  std::unique_lock lock(budget_.mutex_);
  budget_.changed_.wait(lock, [&] { return budget_.left_ >= pixels_; });
  budget_.left_ -= pixels_;
}

PixelBudget::Share::~Share() {
  {
    const std::lock_guard lock(budget_.mutex_);
    budget_.left_ += pixels_;
  }
  budget_.changed_.notify_all();
}

Service::Service(const std::filesystem::path& path, const Limits& stated, const Key& key)
    : limits(stated),
      writer(Gallery::open_or_create(path, key)),
      asker(Gallery::open(path, Access::write, key)),
      reader(Gallery::open(path, Access::write, key)),
      studio(Gallery::open(path, Access::write, key)),
      batcher(asker),
      cameras(path),
      pixels(stated.all_pixels),
      traffic([] { return Traffic{}; }),
      recorder(reader) {}

}  // namespace longshot::server
