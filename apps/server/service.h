// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>

#include "longshot/gallery.h"

#include "batcher.h"
#include "camera_store.h"
#include "http.h"
#include "http_server.h"
#include "jobs.h"
#include "metrics.h"
#include "recorder.h"
#include "report_store.h"

namespace longshot::server {

// Lets so many pixels be decoded at once.
class PixelBudget {
 public:
  explicit PixelBudget(std::size_t pixels) : all_(pixels), left_(pixels) {}

  class Share {
   public:
    Share(PixelBudget& budget, std::size_t pixels);  // waits for its turn
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    PixelBudget& budget_;
    std::size_t pixels_;
  };

 private:
  std::size_t all_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t left_;
};

// The calls of one Gallery wait for each other while it enrols, so what must not wait has one of
// its own: all see one file, and every change when it has returned. A folder of shards, which
// answers one question at a time, is the same for all.
struct Galleries {
  std::shared_ptr<Gallery> writer;  // opened first and closed last: it may make the file
  std::shared_ptr<Gallery> asker;
  std::shared_ptr<Gallery> reader;
  std::shared_ptr<Gallery> studio;
};
Galleries open_galleries(const std::filesystem::path& path, const Key& key = {});

// What the routes work with.
struct Service {
  Service(Galleries opened, const Limits& stated);

  const Limits limits;
  const Galleries galleries;
  Gallery& writer = *galleries.writer;
  Gallery& asker = *galleries.asker;    // identify and verify
  Gallery& reader = *galleries.reader;  // lists, photos and counts
  Gallery& studio = *galleries.studio;  // compare, and learning cameras
  Batcher batcher;
  CameraStore cameras;
  ReportStore reports;
  PixelBudget pixels;
  Metrics metrics;
  std::function<Traffic()> traffic;  // of the network, once there is one
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  Recorder recorder;
  Jobs jobs;  // the last: what they do needs the others
};

}  // namespace longshot::server
