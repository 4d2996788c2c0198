// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "longshot/gallery/secret.h"

namespace longshot {

using FileId = std::array<unsigned char, 16>;

enum class Cipher : std::uint32_t {
  kXChaCha20Poly1305 = 1,
  kAes256Gcm = 2,  // with a key for each nonce, by HChaCha20, so that nonces may be drawn at random
};

// The faster one of those that this processor has.
Cipher best_cipher();
bool is_available(Cipher cipher);

// Which file of a gallery a piece of bytes belongs to.
enum class SealedPart : unsigned char { kDatabase = 1, kLog = 2, kJournal = 3 };

// Encrypts pieces of a gallery and authenticates them, together with the file and the place where
// they stand: none can be read or changed without the key, nor moved elsewhere.
class PageSeal {
 public:
  static constexpr std::size_t kBytes = 40;  // of a seal: nonce, then tag
  static constexpr std::size_t kKeyBytes = 32;

  PageSeal(Secret key, Cipher cipher, const FileId& file);

  // From `plain` to `sealed`, `count` bytes each, and the seal of kBytes.
  void seal(SealedPart part, std::uint64_t place, const unsigned char* plain, std::size_t count,
            unsigned char* sealed, unsigned char* seal) const;
  // In place. False if the bytes or their seal are not as they were; the bytes are lost then.
  bool open(SealedPart part, std::uint64_t place, unsigned char* bytes, std::size_t count,
            const unsigned char* seal) const;

 private:
  Secret key_;
  Cipher cipher_;
  FileId file_;
};

}  // namespace longshot
