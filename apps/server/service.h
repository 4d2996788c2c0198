// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <functional>
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

// What the routes work with. The calls of one Gallery wait for each other while it enrols, so what
// must not wait has one of its own: all see one file, and every change when it has returned.
struct Service {
  Service(const std::filesystem::path& path, const Limits& stated, const Key& key = {});

  const Limits limits;
  Gallery writer;  // the first to be opened and the last to be closed: it may make the file
  Gallery asker;   // identify and verify
  Gallery reader;  // lists, photos and counts
  Gallery studio;  // compare, and learning cameras
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
