// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/sealed_file.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <sodium.h>

#include "longshot/core/error.h"
#include "longshot/core/framed_file.h"
#include "longshot/core/sealed_magic.h"

namespace longshot {
namespace {

constexpr std::uint32_t kFileVersion = 1;
constexpr std::size_t kBoundBytes = 48;  // magic, version and derivation
constexpr std::size_t kStreamHeaderBytes = crypto_secretstream_xchacha20poly1305_HEADERBYTES;
constexpr std::size_t kHeadChecksumBytes = 32;
constexpr std::size_t kHeadBytes = kBoundBytes + kStreamHeaderBytes + kHeadChecksumBytes;
constexpr std::size_t kSealedPieceBytes = 65536;
constexpr std::size_t kPieceSealBytes = crypto_secretstream_xchacha20poly1305_ABYTES;

using StreamState = crypto_secretstream_xchacha20poly1305_state;

const unsigned char* unsigned_bytes(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

unsigned char* unsigned_bytes(std::string& bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

// Tells a damaged head from another key.
std::string head_checksum(std::string_view head) {
  std::string checksum(kHeadChecksumBytes, '\0');
  crypto_generichash(unsigned_bytes(checksum), checksum.size(), unsigned_bytes(head), head.size(),
                     nullptr, 0);
  return checksum;
}

std::string bound_part(const KeyDerivation& derivation) {
  ByteWriter writer;
  writer.bytes(kSealedFileMagic);
  writer.number(kFileVersion);
  writer.number(static_cast<std::uint32_t>(derivation.kind));
  writer.number(derivation.passes);
  writer.number(derivation.kilobytes);
  writer.bytes({reinterpret_cast<const char*>(derivation.salt.data()), derivation.salt.size()});
  return writer.take();
}

// Wiped when it goes.
class StreamCipher {
 public:
  StreamCipher() = default;
  ~StreamCipher() { sodium_memzero(&state_, sizeof(state_)); }
  StreamCipher(const StreamCipher&) = delete;
  StreamCipher& operator=(const StreamCipher&) = delete;

  std::string begin_sealing(const Secret& key) {
    std::string header(kStreamHeaderBytes, '\0');
    crypto_secretstream_xchacha20poly1305_init_push(&state_, unsigned_bytes(header), key.data());
    return header;
  }
  void begin_opening(std::string_view header, const Secret& key) {
    crypto_secretstream_xchacha20poly1305_init_pull(&state_, unsigned_bytes(header), key.data());
  }

  void seal(std::string_view piece, std::string_view bound, bool last, std::string& to) {
    std::string sealed(piece.size() + kPieceSealBytes, '\0');
    crypto_secretstream_xchacha20poly1305_push(
        &state_, unsigned_bytes(sealed), nullptr, unsigned_bytes(piece), piece.size(),
        unsigned_bytes(bound), bound.size(),
        last ? crypto_secretstream_xchacha20poly1305_TAG_FINAL
             : crypto_secretstream_xchacha20poly1305_TAG_MESSAGE);
    to += sealed;
  }
  // False if the piece is not the one that was sealed, or not the last where that is expected.
  bool open(std::string_view piece, std::string_view bound, bool last, std::string& to) {
    if (piece.size() < kPieceSealBytes) return false;
    std::string opened(piece.size() - kPieceSealBytes, '\0');
    unsigned char tag = 0;
    const int code = crypto_secretstream_xchacha20poly1305_pull(
        &state_, unsigned_bytes(opened), nullptr, &tag, unsigned_bytes(piece), piece.size(),
        unsigned_bytes(bound), bound.size());
    to += opened;
    return code == 0 && (tag == crypto_secretstream_xchacha20poly1305_TAG_FINAL) == last;
  }

 private:
  StreamState state_{};
};

[[noreturn]] void refuse_damaged(std::string_view name) {
  throw Error(ErrorKind::damaged, "{} is damaged; restore it from a copy.", name);
}

KeyDerivation derivation_in(std::string_view sealed, std::string_view name) {
  if (!sealed.starts_with(kSealedFileMagic)) throw Error("{} is not a sealed file.", name);
  if (sealed.size() < kHeadBytes) refuse_damaged(name);
  ByteReader reader(sealed.substr(kSealedFileMagic.size()), name);
  if (reader.number<std::uint32_t>() != kFileVersion) {
    throw Error(ErrorKind::unsupported,
                "{} was sealed by a newer version of longshot: update this one.", name);
  }
  const std::string_view checked = sealed.substr(0, kHeadBytes - kHeadChecksumBytes);
  if (sealed.substr(checked.size(), kHeadChecksumBytes) != head_checksum(checked)) {
    refuse_damaged(name);
  }
  KeyDerivation derivation;
  derivation.kind = static_cast<KeyDerivation::Kind>(reader.number<std::uint32_t>());
  derivation.passes = reader.number<std::uint32_t>();
  derivation.kilobytes = reader.number<std::uint32_t>();
  std::ranges::copy(reader.take(derivation.salt.size()), derivation.salt.begin());
  if (!derivation.in_range()) refuse_damaged(name);
  return derivation;
}

void require_kind(const KeyDerivation& derivation, const GalleryKey& key, std::string_view name) {
  if (derivation.kind == key.kind()) return;
  const bool asks_passphrase = derivation.kind == KeyDerivation::Kind::kPassphrase;
  throw Error("{} is sealed with a {}, not with a {}.", name,
              asks_passphrase ? "passphrase" : "key file",
              asks_passphrase ? "key file" : "passphrase");
}

}  // namespace

std::string seal_bytes(std::string_view bytes, const GalleryKey& key) {
  require_sodium();
  const KeyDerivation derivation = key.new_derivation();
  StreamCipher cipher;
  const std::string bound = bound_part(derivation);
  std::string sealed = bound + cipher.begin_sealing(key.derived(derivation));
  sealed += head_checksum(sealed);
  cipher.seal({}, bound, false, sealed);
  for (bool last = false; !last;) {
    const std::string_view piece = bytes.substr(0, kSealedPieceBytes);
    bytes.remove_prefix(piece.size());
    last = bytes.empty();
    cipher.seal(piece, bound, last, sealed);
  }
  return sealed;
}

std::string unseal_bytes(std::string_view sealed, const GalleryKey& key, std::string_view name) {
  require_sodium();
  const KeyDerivation derivation = derivation_in(sealed, name);
  require_kind(derivation, key, name);
  StreamCipher cipher;
  const std::string_view bound = sealed.substr(0, kBoundBytes);
  cipher.begin_opening(sealed.substr(kBoundBytes, kStreamHeaderBytes), key.derived(derivation));
  sealed.remove_prefix(kHeadBytes);
  std::string bytes;
  // The first piece is empty and tells whether the key is the right one.
  if (sealed.size() < kPieceSealBytes) refuse_damaged(name);
  if (!cipher.open(sealed.substr(0, kPieceSealBytes), bound, false, bytes)) {
    throw Error("The key does not open {}.", name);
  }
  sealed.remove_prefix(kPieceSealBytes);
  for (bool last = false; !last;) {
    const std::string_view piece = sealed.substr(0, kSealedPieceBytes + kPieceSealBytes);
    sealed.remove_prefix(piece.size());
    last = sealed.empty();
    if (!cipher.open(piece, bound, last, bytes)) refuse_damaged(name);
  }
  return bytes;
}

}  // namespace longshot
