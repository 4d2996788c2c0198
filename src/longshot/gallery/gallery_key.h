// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>

#include "longshot/gallery/secret.h"

namespace longshot {

using KeySalt = std::array<unsigned char, 16>;

// What a secret becomes a key by; a sealed file remembers it.
struct KeyDerivation {
  enum class Kind : std::uint32_t {
    kFile = 1,       // BLAKE2b: the bytes are random enough by themselves
    kPassphrase = 2  // Argon2id
  };
  Kind kind = Kind::kFile;
  std::uint32_t passes = 3;         // of Argon2id, 1 to 16
  std::uint32_t kilobytes = 65536;  // of memory for Argon2id, 8 to 1048576
  KeySalt salt{};

  bool in_range() const;
};

// The secret of a user, from which the keys that open galleries are derived: 32 bytes each.
class GalleryKey {
 public:
  using Shared = std::shared_ptr<const GalleryKey>;

  // From 32 to 4096 bytes that cannot be guessed. Throws Error naming the file, never its content.
  static Shared from_file(const std::filesystem::path& path);
  // Reads an open descriptor to its end, as a file.
  static Shared from_descriptor(int descriptor);
  // From 8 to 1024 bytes.
  static Shared from_passphrase(std::string_view passphrase);

  KeyDerivation::Kind kind() const { return kind_; }
  // For a new file: a salt that no other has.
  KeyDerivation new_derivation() const;
  // The 32 bytes. Takes a while for a passphrase, once for each salt.
  const Secret& derived(const KeyDerivation& derivation) const;

  GalleryKey(KeyDerivation::Kind kind, std::span<const unsigned char> secret)
      : kind_(kind), secret_(secret) {}

 private:
  KeyDerivation::Kind kind_;
  Secret secret_;
  mutable std::mutex mutex_;
  mutable std::map<KeySalt, Secret> derived_;  // guarded by mutex_
};

}  // namespace longshot
