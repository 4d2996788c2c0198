// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/open_gallery.h"

#include <new>
#include <utility>

#include "longshot/pipeline/gallery_calibration.h"

namespace longshot {
namespace {

class FileAsking final : public Asking {
 public:
  explicit FileAsking(OpenGallery& gallery)
      : gallery_(gallery), store_(gallery.connect()), people_(*store_) {}

  const GalleryPeople& people() const override { return people_; }
  Question question(const std::string& method, Size size, const std::optional<Camera>& camera,
                    bool once, Progress& progress) override {
    const std::shared_ptr<const SearchSession> session =
        once ? std::make_shared<const SearchSession>(*store_, method, size, camera, progress)
             : gallery_.session(*store_, method, size, camera, progress);
    StateSearch state = session->search(*store_, camera);
    return {session, std::move(state.snapshot), std::make_unique<GallerySearch>(state.search)};
  }
  Calibration calibration(const Question& question, Days days, Progress& progress) override {
    if (days == Days::kUnknown) return question.session->calibration();
    return provide_calibration(*store_, people_, *question.search->for_camera({}), days, progress);
  }

 private:
  OpenGallery& gallery_;
  OpenGallery::Connection store_;
  FilePeople people_;
};

}  // namespace

std::unique_ptr<Asking> OpenGallery::ask() {
  return std::make_unique<FileAsking>(*this);
}

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
  try {
    idle_.push_back(std::move(store));
  } catch (const std::bad_alloc&) {
    // It is closed instead.
  }
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
