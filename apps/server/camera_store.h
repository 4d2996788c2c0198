// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "longshot/camera.h"

namespace longshot::server {

// The saved cameras of a gallery: files in a folder beside it, which only its owner may read.
class CameraStore {
 public:
  explicit CameraStore(const std::filesystem::path& gallery);

  std::vector<std::string> ids() const;  // sorted
  // The next four throw Problem 404 if there is none, and all throw 400 for what is no id.
  Camera camera(const std::string& id) const;
  std::string sheet(const std::string& id) const;      // PNG
  std::string learnt_at(const std::string& id) const;  // UTC, as utc_now()
  void remove(const std::string& id);
  void check_id(const std::string& id) const;
  // Throws Problem 409 if there is one of that id.
  void add(const std::string& id, const CameraReport& report);

 private:
  std::filesystem::path file(const std::string& id, const char* extension) const;

  std::filesystem::path folder_;
  mutable std::mutex mutex_;  // guards the folder
};

}  // namespace longshot::server
