// SPDX-License-Identifier: Apache-2.0
#include "service.h"

#include <algorithm>
#include <utility>

#include "longshot/shards.h"

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

Galleries open_galleries(const std::filesystem::path& path, const Key& key) {
  const auto writer = std::make_shared<Gallery>(Gallery::open_or_create(path, key));
  if (is_shards(path)) return {writer, writer, writer, writer};
  const auto another = [&] {
    return std::make_shared<Gallery>(Gallery::open(path, Access::write, key));
  };
  return {writer, another(), another(), another()};
}

Service::Service(Galleries opened, const Limits& stated)
    : limits(stated),
      galleries(std::move(opened)),
      batcher(asker),
      cameras(reader.path()),
      pixels(stated.all_pixels),
      traffic([] { return Traffic{}; }),
      recorder(reader) {}

}  // namespace longshot::server
