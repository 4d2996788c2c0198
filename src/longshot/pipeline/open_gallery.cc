// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/open_gallery.h"

namespace longshot {

OpenGallery::OpenGallery(std::filesystem::path path, GalleryStore::Access access,
                         GalleryKey::Shared key)
    : path_(std::move(path)), access_(access) {
  options_.key = std::move(key);
  idle_.push_back(std::make_unique<GalleryStore>(path_, access_, options_));
}

OpenGallery::Connection OpenGallery::connect() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<GalleryStore> store = std::move(idle_.back());
      idle_.pop_back();
      return {*this, std::move(store)};
    }
  }
  return {*this, std::make_unique<GalleryStore>(path_, access_, options_)};
}

void OpenGallery::give_back(std::unique_ptr<GalleryStore> store) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(store));
}

std::shared_ptr<const SearchSession> OpenGallery::session(GalleryStore& store,
                                                          const std::string& method, Size size,
                                                          const std::optional<Camera>& camera,
                                                          Progress& progress) {
  std::shared_ptr<Opened> opened;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Opened>& kept = sessions_[model_key(method, size, camera)];
    if (!kept) kept = std::make_shared<Opened>();
    opened = kept;
  }
  const std::lock_guard lock(opened->mutex);
  if (!opened->session || !opened->session->holds(store)) {
    opened->session.reset();  // before the next takes its memory
    opened->session = std::make_shared<SearchSession>(store, method, size, camera, progress);
  }
  return opened->session;
}

}  // namespace longshot
