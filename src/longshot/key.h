// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "longshot/export.h"

namespace longshot {

class GalleryKey;

namespace v0 {

// What opens an encrypted gallery. Copies share the secret, which lies in memory that is neither
// swapped nor dumped where the system allows it, and is wiped with the last of them.
class LONGSHOT_API Key {
 public:
  Key() = default;  // none: for a gallery that is not encrypted
  // A file of 32 to 4096 bytes that nobody can guess: head -c 32 /dev/urandom > people.key
  static Key from_file(const std::filesystem::path& path);
  // The same from an open descriptor, such as a pipe, read to its end.
  static Key from_descriptor(int descriptor);
  // From 8 to 1024 bytes, made slow to guess by Argon2id.
  static Key from_passphrase(std::string_view passphrase);

  explicit operator bool() const { return secret_ != nullptr; }

 private:
  friend std::shared_ptr<const GalleryKey> secret_of(const Key& key);
  std::shared_ptr<const GalleryKey> secret_;
};

// Writes a gallery anew, encrypted, or readable by everybody who has the file; what lay on the disk
// is overwritten. Killed at any moment, the old file or the new one is there. Throws busy if
// another program has the gallery open. Of a folder of shards (shards.h) all files are written, one
// after the other; killed in between, it is refused until the same call is made again.
LONGSHOT_API void encrypt_gallery(const std::filesystem::path& gallery, const Key& key);
LONGSHOT_API void decrypt_gallery(const std::filesystem::path& gallery, const Key& key);
// From now on `new_key` opens it. `full`: with other keys inside too, by writing it anew; otherwise
// who has an old copy of the file and its key can also read the new one.
LONGSHOT_API void rekey_gallery(const std::filesystem::path& gallery, const Key& key,
                                const Key& new_key, bool full = false);

// For what is no gallery (models, cameras, reports, exports): writes a file that only the key opens
// (docs/formats.md, "Sealed files"), and what was sealed again, both readable by their owner only.
// Throws Error for another key, and for what is damaged or was never sealed.
LONGSHOT_API void seal_file(const std::filesystem::path& file, const std::filesystem::path& sealed,
                            const Key& key);
LONGSHOT_API void unseal_file(const std::filesystem::path& sealed,
                              const std::filesystem::path& file, const Key& key);

}  // namespace v0
}  // namespace longshot
