// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/gallery_key.h"

#include <cerrno>
#include <new>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sodium.h>
#include <unistd.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kMostKeyFileBytes = 4096;
constexpr std::size_t kLeastPassphrase = 8;
constexpr std::size_t kMostPassphrase = 1024;
constexpr std::string_view kContext = "longshot gallery key file";

// Past the library's reader of files, whose memory nobody wipes.
GalleryKey::Shared read_key(int descriptor, const std::string& name) {
  Secret bytes(kMostKeyFileBytes + 1);
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t got = ::read(descriptor, bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw Error(kind_of(errno), "Cannot read the key of {}: {}.", name,
                  std::generic_category().message(errno));
    }
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size < kKeyBytes || size > kMostKeyFileBytes) {
    throw Error("Cannot use the key of {}: it must have {} to {} bytes.", name, kKeyBytes,
                kMostKeyFileBytes);
  }
  return std::make_shared<GalleryKey>(KeyDerivation::Kind::kFile,
                                      std::span<const unsigned char>(bytes.data(), size));
}

void derive_from_passphrase(const Secret& passphrase, const KeyDerivation& by, Secret& key) {
  const int code = crypto_pwhash(
      key.data(), key.size(), reinterpret_cast<const char*>(passphrase.data()), passphrase.size(),
      by.salt.data(), by.passes, std::size_t{by.kilobytes} << 10U, crypto_pwhash_ALG_ARGON2ID13);
  if (code != 0) throw std::bad_alloc();
}

void derive_from_file(const Secret& secret, const KeyDerivation& by, Secret& key) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, key.size());
  crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(kContext.data()),
                            kContext.size());
  crypto_generichash_update(&state, by.salt.data(), by.salt.size());
  crypto_generichash_update(&state, secret.data(), secret.size());
  crypto_generichash_final(&state, key.data(), key.size());
  sodium_memzero(&state, sizeof(state));
}

}  // namespace

bool KeyDerivation::in_range() const {
  return kind == Kind::kFile || (kind == Kind::kPassphrase && passes >= 1 && passes <= 16 &&
                                 kilobytes >= 8 && kilobytes <= 1048576);
}

GalleryKey::Shared GalleryKey::from_file(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    throw Error(kind_of(errno), "Cannot read the key of {}: {}.", path.string(),
                std::generic_category().message(errno));
  }
  const struct Closing {
    ~Closing() { ::close(open); }
    int open;
  } closing{descriptor};
  return read_key(closing.open, path.string());
}

GalleryKey::Shared GalleryKey::from_descriptor(int descriptor) {
  return read_key(descriptor, fmt::format("descriptor {}", descriptor));
}

GalleryKey::Shared GalleryKey::from_passphrase(std::string_view passphrase) {
  if (passphrase.size() < kLeastPassphrase || passphrase.size() > kMostPassphrase) {
    throw Error("A passphrase must have {} to {} bytes.", kLeastPassphrase, kMostPassphrase);
  }
  return std::make_shared<GalleryKey>(
      KeyDerivation::Kind::kPassphrase,
      std::span(reinterpret_cast<const unsigned char*>(passphrase.data()), passphrase.size()));
}

KeyDerivation GalleryKey::new_derivation() const {
  require_sodium();
  KeyDerivation derivation;
  derivation.kind = kind_;
  randombytes_buf(derivation.salt.data(), derivation.salt.size());
  return derivation;
}

const Secret& GalleryKey::derived(const KeyDerivation& derivation) const {
  const std::lock_guard lock(mutex_);
  const auto found = derived_.find(derivation.salt);
  if (found != derived_.end()) return found->second;
  Secret key(kKeyBytes);
  if (kind_ == KeyDerivation::Kind::kPassphrase) {
    derive_from_passphrase(secret_, derivation, key);
  } else {
    derive_from_file(secret_, derivation, key);
  }
  return derived_.emplace(derivation.salt, std::move(key)).first->second;
}

}  // namespace longshot
