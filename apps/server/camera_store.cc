// SPDX-License-Identifier: Apache-2.0
#include "camera_store.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <sys/stat.h>

#include "problem.h"
#include "text.h"

namespace longshot::server {
namespace fs = std::filesystem;

namespace {

Problem no_camera(const std::string& id) {
  return {404, "not_found", "There is no camera named " + id + "."};
}

}  // namespace

CameraStore::CameraStore(const fs::path& gallery) : folder_(gallery.string() + ".cameras") {}

void CameraStore::check_id(const std::string& id) const {
  const auto allowed = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
  };
  if (id.empty() || id.size() > 64 || !std::ranges::all_of(id, allowed)) {
    throw bad_request("The id of a camera has 1 to 64 letters, digits, - and _.");
  }
  if (id == "auto" || id == "none")
    throw bad_request("The id \"" + id + "\" means something else.");
}

fs::path CameraStore::file(const std::string& id, const char* extension) const {
  check_id(id);
  return folder_ / (id + extension);
}

std::vector<std::string> CameraStore::ids() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> ids;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder_, none)) {
    if (entry.path().extension() == ".camera") ids.push_back(entry.path().stem().string());
  }
  std::ranges::sort(ids);
  return ids;
}

Camera CameraStore::camera(const std::string& id) const {
  const fs::path path = file(id, ".camera");
  const std::lock_guard lock(mutex_);
  if (!fs::exists(path)) throw no_camera(id);
  return Camera::read(path);
}

std::string CameraStore::sheet(const std::string& id) const {
  const fs::path path = file(id, ".png");
  const std::lock_guard lock(mutex_);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Problem(404, "not_found", "There is no sheet of a camera named " + id + ".");
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

std::string CameraStore::learnt_at(const std::string& id) const {
  const fs::path path = file(id, ".camera");
  const std::lock_guard lock(mutex_);
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw no_camera(id);
  return utc_text(status.st_mtime);
}

void CameraStore::remove(const std::string& id) {
  const fs::path path = file(id, ".camera");
  const std::lock_guard lock(mutex_);
  if (!fs::remove(path)) throw no_camera(id);
  fs::remove(file(id, ".png"));
}

void CameraStore::add(const std::string& id, const CameraReport& report) {
  const fs::path path = file(id, ".camera");
  const std::lock_guard lock(mutex_);
  if (fs::exists(path)) {
    throw Problem(409, "already_there", "There is a camera named " + id + " already.");
  }
  if (fs::create_directories(folder_)) fs::permissions(folder_, fs::perms::owner_all);
  write_plane(file(id, ".png"), report.sheet);
  report.camera.write(path);
}

}  // namespace longshot::server
