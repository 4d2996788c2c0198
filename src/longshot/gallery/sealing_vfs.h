// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "longshot/gallery/gallery_key.h"
#include "longshot/gallery/page_seal.h"

struct sqlite3_vfs;

namespace longshot {

// The system's file access for galleries that are encrypted: whatever SQLite writes, to the file,
// its log or its journal, is sealed on the way (sealed_layout.h). Pages must have 40 reserved
// bytes.

// Registers it once; nothing if SQLite has none to build on.
sqlite3_vfs* sealing_vfs();

// The key of one connection, for as long as that lives. SQLite hands it on by a number in the name.
class SealedSession {
 public:
  // `create`: an empty file gets a header. `name` stands in messages.
  SealedSession(GalleryKey::Shared key, std::string name, bool create);
  ~SealedSession();
  SealedSession(const SealedSession&) = delete;
  SealedSession& operator=(const SealedSession&) = delete;

  // To be added to the URI of the file.
  std::string parameter() const;
  // Throws what opening the file failed with, if it was not SQLite's business.
  void rethrow_failure() const;

  struct State {
    GalleryKey::Shared key;
    std::string name;
    bool create = false;
    std::shared_ptr<const PageSeal> seal;  // known when the file is open
    std::exception_ptr failure;
  };

 private:
  std::shared_ptr<State> state_;
  int number_;
};

// For sqlite3_file_control() on a sealed file: the argument is a SecretChange.
inline constexpr int kChangeSecret = 0x6c6f6e67;
struct SecretChange {
  const GalleryKey* old_key = nullptr;
  const GalleryKey* new_key = nullptr;
  std::exception_ptr failure;
};

}  // namespace longshot
