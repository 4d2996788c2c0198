// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "longshot/core/progress.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/search_session.h"

namespace longshot {

// What one question needs, in one state of the gallery.
struct Question {
  std::shared_ptr<const Session> session;
  std::unique_ptr<GallerySnapshot> snapshot;  // may be null: StateSearch
  std::unique_ptr<const PeopleSearch> search;
};

// The way of one thread to a gallery that is asked.
class Asking {
 public:
  virtual ~Asking() = default;
  virtual const GalleryPeople& people() const = 0;
  // At a size. `once`: the camera is not likely to come back.
  virtual Question question(const std::string& method, Size size,
                            const std::optional<Camera>& camera, bool once, Progress& progress) = 0;
  // What the distances of its search mean for probes of such days.
  virtual Calibration calibration(const Question& question, Days days, Progress& progress) = 0;
};

// A gallery for any number of threads: a file, or a folder of shards.
class AskedGallery {
 public:
  virtual ~AskedGallery() = default;
  virtual std::unique_ptr<Asking> ask() = 0;
};

// A gallery for any number of threads: each works through a connection of its own, and all share
// what was opened of it. Whatever changes the gallery, through this object or another process, is
// seen by every question asked after the change returned.
class OpenGallery final : public AskedGallery {
 public:
  // Throws Error as GalleryStore does.
  explicit OpenGallery(std::filesystem::path path,
                       GalleryStore::Access access = GalleryStore::Access::kWriteIfPossible,
                       GalleryKey::Shared key = nullptr);

  // A connection for one thread, given back when it goes.
  class Connection {
   public:
    Connection(OpenGallery& gallery, std::unique_ptr<GalleryStore> store)
        : gallery_(gallery), store_(std::move(store)) {}
    ~Connection() { gallery_.give_back(std::move(store_)); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    GalleryStore& operator*() const { return *store_; }
    GalleryStore* operator->() const { return store_.get(); }

   private:
    OpenGallery& gallery_;
    std::unique_ptr<GalleryStore> store_;
  };
  Connection connect();
  std::unique_ptr<Asking> ask() override;

  // What recognising at a size needs, made the first time and whenever it holds no longer.
  std::shared_ptr<const SearchSession> session(GalleryStore& store, const std::string& method,
                                               Size size, const std::optional<Camera>& camera = {},
                                               Progress& progress = no_progress());

  const std::filesystem::path& path() const { return path_; }

 private:
  struct Opened {
    std::mutex mutex;  // one thread makes it, the others wait
    std::shared_ptr<const SearchSession> session;
  };
  void give_back(std::unique_ptr<GalleryStore> store);

  std::filesystem::path path_;
  GalleryStore::Access access_;
  GalleryOptions options_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<GalleryStore>> idle_;          // guarded by mutex_
  std::map<std::string, std::shared_ptr<Opened>> sessions_;  // by the model's key, guarded too
};

}  // namespace longshot
