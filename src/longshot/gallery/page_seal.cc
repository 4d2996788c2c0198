// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/page_seal.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <optional>
#include <utility>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <sodium.h>

namespace longshot {
namespace {

constexpr std::size_t kNonce = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t kTag = crypto_aead_xchacha20poly1305_ietf_ABYTES;
static_assert(kNonce + kTag == PageSeal::kBytes && crypto_aead_aes256gcm_ABYTES == kTag);
static_assert(crypto_aead_aes256gcm_KEYBYTES == PageSeal::kKeyBytes);

using Label = std::array<unsigned char, 25>;

Label label_of(const FileId& file, SealedPart part, std::uint64_t place) {
  Label label{};
  std::ranges::copy(file, label.begin());
  label[16] = static_cast<unsigned char>(part);
  for (std::size_t i = 0; i < 8; ++i) {
    label[17 + i] = static_cast<unsigned char>(place >> (8 * i) & 0xFF);
  }
  return label;
}

// As XChaCha20 is made of ChaCha20: 16 bytes of the nonce choose a key, the other 8 are the nonce
// under it.
struct OneTimeAes {
  OneTimeAes(const Secret& key, const unsigned char* nonce) {
    crypto_core_hchacha20(key_bytes, nonce, key.data(), nullptr);
    std::copy_n(nonce + 16, 8, nonce_bytes);
  }
  ~OneTimeAes() { sodium_memzero(key_bytes, sizeof(key_bytes)); }
  OneTimeAes(const OneTimeAes&) = delete;
  OneTimeAes& operator=(const OneTimeAes&) = delete;

  unsigned char key_bytes[crypto_aead_aes256gcm_KEYBYTES];
  unsigned char nonce_bytes[crypto_aead_aes256gcm_NPUBBYTES] = {};
};

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }  // and wipes it
};

// By OpenSSL, which is faster than libsodium (docs/security.md). Opens in place; whether the bytes
// are as they were, or nothing if there is no memory: then they are untouched.
std::optional<bool> open_quickly(const OneTimeAes& aes, const Label& label, unsigned char* bytes,
                                 std::size_t count, const unsigned char* tag) {
  static EVP_CIPHER* const cipher = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
  const std::unique_ptr<EVP_CIPHER_CTX, FreeContext> context(EVP_CIPHER_CTX_new());
  if (cipher == nullptr || !context ||
      EVP_DecryptInit_ex2(context.get(), cipher, aes.key_bytes, aes.nonce_bytes, nullptr) != 1) {
    ERR_clear_error();
    return std::nullopt;
  }
  unsigned char expected[kTag];
  std::copy_n(tag, kTag, expected);
  int done = 0;
  const bool whole =
      EVP_DecryptUpdate(context.get(), nullptr, &done, label.data(), label.size()) == 1 &&
      EVP_DecryptUpdate(context.get(), bytes, &done, bytes, static_cast<int>(count)) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, kTag, expected) == 1 &&
      EVP_DecryptFinal_ex(context.get(), bytes + count, &done) == 1;
  if (!whole) {
    ERR_clear_error();
    sodium_memzero(bytes, count);
  }
  return whole;
}

}  // namespace

bool is_available(Cipher cipher) {
  require_sodium();
  if (cipher == Cipher::kAes256Gcm) return crypto_aead_aes256gcm_is_available() == 1;
  return cipher == Cipher::kXChaCha20Poly1305;
}

Cipher best_cipher() {
  return is_available(Cipher::kAes256Gcm) ? Cipher::kAes256Gcm : Cipher::kXChaCha20Poly1305;
}

PageSeal::PageSeal(Secret key, Cipher cipher, const FileId& file)
    : key_(std::move(key)), cipher_(cipher), file_(file) {
  assert(key_.size() == kKeyBytes && is_available(cipher));
}

void PageSeal::seal(SealedPart part, std::uint64_t place, const unsigned char* plain,
                    std::size_t count, unsigned char* sealed, unsigned char* seal) const {
  const Label label = label_of(file_, part, place);
  randombytes_buf(seal, kNonce);
  unsigned char* tag = seal + kNonce;
  if (cipher_ == Cipher::kAes256Gcm) {
    const OneTimeAes aes(key_, seal);
    crypto_aead_aes256gcm_encrypt_detached(sealed, tag, nullptr, plain, count, label.data(),
                                           label.size(), nullptr, aes.nonce_bytes, aes.key_bytes);
    return;
  }
  crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
      sealed, tag, nullptr, plain, count, label.data(), label.size(), nullptr, seal, key_.data());
}

bool PageSeal::open(SealedPart part, std::uint64_t place, unsigned char* bytes, std::size_t count,
                    const unsigned char* seal) const {
  const Label label = label_of(file_, part, place);
  const unsigned char* tag = seal + kNonce;
  if (cipher_ == Cipher::kAes256Gcm) {
    const OneTimeAes aes(key_, seal);
    if (const std::optional<bool> whole = open_quickly(aes, label, bytes, count, tag))
      return *whole;
    return crypto_aead_aes256gcm_decrypt_detached(bytes, nullptr, bytes, count, tag, label.data(),
                                                  label.size(), aes.nonce_bytes,
                                                  aes.key_bytes) == 0;
  }
  return crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
             bytes, nullptr, bytes, count, tag, label.data(), label.size(), seal, key_.data()) == 0;
}

}  // namespace longshot
