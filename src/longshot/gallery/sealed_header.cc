// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/sealed_header.h"

#include <algorithm>
#include <utility>

#include <sodium.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

constexpr std::string_view kSealedMagic("longshot sealed\0", 16);
constexpr std::uint64_t kSealedVersion = 1;

// Of the header: what never changes.
constexpr std::size_t kVersionAt = 16;
constexpr std::size_t kCipherAt = 20;
constexpr std::size_t kFileIdAt = 32;
constexpr std::size_t kFixedBytes = 48;
// Of a slot.
constexpr std::size_t kGenerationAt = 0;
constexpr std::size_t kKindAt = 8;
constexpr std::size_t kPassesAt = 12;
constexpr std::size_t kKilobytesAt = 16;
constexpr std::size_t kSaltAt = 24;
constexpr std::size_t kNonceAt = 40;
constexpr std::size_t kWrappedAt = 64;
constexpr std::size_t kWrappedBytes =
    PageSeal::kKeyBytes + crypto_aead_xchacha20poly1305_ietf_ABYTES;
constexpr std::size_t kChecksumAt = kWrappedAt + kWrappedBytes;
constexpr std::size_t kChecksumBytes = 32;

unsigned char* raw(std::string& bytes, std::size_t at) {
  return reinterpret_cast<unsigned char*>(bytes.data()) + at;
}

const unsigned char* raw(const std::string& bytes, std::size_t at) {
  return reinterpret_cast<const unsigned char*>(bytes.data()) + at;
}

std::uint64_t get_number(const std::string& bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;) value = value << 8 | *raw(bytes, at + i);
  return value;
}

void put_number(std::string& bytes, std::size_t at, std::size_t width, std::uint64_t value) {
  for (std::size_t i = 0; i < width; ++i) {
    *raw(bytes, at + i) = static_cast<unsigned char>(value >> (8 * i) & 0xFF);
  }
}

// What a wrapped key is bound to: the file, and how it is derived.
std::string binding_of(const std::string& header, std::size_t slot) {
  return header.substr(0, kFixedBytes) + header.substr(slot, kNonceAt);
}

// Tells a slot that was torn from one of another key.
std::string checksum_of(const std::string& header, std::size_t slot) {
  const std::string covered = header.substr(0, kFixedBytes) + header.substr(slot, kChecksumAt);
  std::string checksum(kChecksumBytes, '\0');
  crypto_generichash(raw(checksum, 0), kChecksumBytes, raw(covered, 0), covered.size(), nullptr, 0);
  return checksum;
}

}  // namespace

bool SealedHeader::is_sealed(std::string_view bytes) {
  return bytes.starts_with(kSealedMagic);
}

SealedHeader SealedHeader::create(const GalleryKey& key) {
  require_sodium();
  SealedHeader header(std::string(kBytes, '\0'));
  std::ranges::copy(kSealedMagic, header.bytes_.begin());
  put_number(header.bytes_, kVersionAt, 4, kSealedVersion);
  put_number(header.bytes_, kCipherAt, 4, static_cast<std::uint32_t>(best_cipher()));
  randombytes_buf(raw(header.bytes_, kFileIdAt), FileId().size());
  Secret page_key(PageSeal::kKeyBytes);
  randombytes_buf(page_key.data(), page_key.size());
  header.write_slot(0, 1, page_key, key);
  return header;
}

SealedHeader SealedHeader::parse(std::string_view bytes, std::string_view name) {
  require_sodium();
  SealedHeader header{std::string(bytes)};
  if (bytes.size() != kBytes || !is_sealed(bytes)) {
    throw Error(ErrorKind::damaged, "The gallery {} is damaged; restore it from a copy.", name);
  }
  if (get_number(header.bytes_, kVersionAt, 4) != kSealedVersion) {
    throw Error(ErrorKind::unsupported,
                "The gallery {} was sealed by a newer version of longshot: update this one.", name);
  }
  header.newest_slot(name);
  return header;
}

std::unique_ptr<const PageSeal> SealedHeader::open(const GalleryKey& key,
                                                   std::string_view name) const {
  const auto cipher = static_cast<Cipher>(get_number(bytes_, kCipherAt, 4));
  Secret opened = page_key(key, name);
  if (!is_available(cipher)) {
    throw Error(ErrorKind::unsupported,
                "The gallery {} is sealed with a cipher that this processor does not have.", name);
  }
  FileId file{};
  std::copy_n(raw(bytes_, kFileIdAt), file.size(), file.begin());
  return std::make_unique<PageSeal>(std::move(opened), cipher, file);
}

std::size_t SealedHeader::add_slot(const GalleryKey& old_key, const GalleryKey& new_key,
                                   std::string_view name) {
  const std::size_t newest = newest_slot(name);
  const Secret opened = page_key(old_key, name);
  const std::size_t other = (newest + 1) % kSlots;
  write_slot(other, read_slot(newest)->generation + 1, opened, new_key);
  return other;
}

std::size_t SealedHeader::forget_other_slots() {
  const std::size_t other = (newest_slot("") + 1) % kSlots;
  std::fill_n(raw(bytes_, slot_begin(other)), kSlotBytes, static_cast<unsigned char>(0));
  return other;
}

std::string_view SealedHeader::slot(std::size_t index) const {
  return std::string_view(bytes_).substr(slot_begin(index), kSlotBytes);
}

std::optional<SealedHeader::Slot> SealedHeader::read_slot(std::size_t index) const {
  const std::size_t at = slot_begin(index);
  Slot slot;
  slot.generation = get_number(bytes_, at + kGenerationAt, 8);
  slot.derivation.kind = static_cast<KeyDerivation::Kind>(get_number(bytes_, at + kKindAt, 4));
  slot.derivation.passes = static_cast<std::uint32_t>(get_number(bytes_, at + kPassesAt, 4));
  slot.derivation.kilobytes = static_cast<std::uint32_t>(get_number(bytes_, at + kKilobytesAt, 4));
  std::copy_n(raw(bytes_, at + kSaltAt), slot.derivation.salt.size(), slot.derivation.salt.begin());
  const std::string checksum = bytes_.substr(at + kChecksumAt, kChecksumBytes);
  if (slot.generation == 0 || !slot.derivation.in_range() || checksum != checksum_of(bytes_, at)) {
    return std::nullopt;
  }
  return slot;
}

std::size_t SealedHeader::newest_slot(std::string_view name) const {
  std::optional<std::size_t> newest;
  for (std::size_t i = 0; i < kSlots; ++i) {
    const std::optional<Slot> slot = read_slot(i);
    if (slot && (!newest || slot->generation > read_slot(*newest)->generation)) newest = i;
  }
  if (newest) return *newest;
  throw Error(ErrorKind::damaged, "The gallery {} is damaged; restore it from a copy.", name);
}

void SealedHeader::write_slot(std::size_t index, std::uint64_t generation, const Secret& page_key,
                              const GalleryKey& key) {
  const std::size_t at = slot_begin(index);
  const KeyDerivation derivation = key.new_derivation();
  put_number(bytes_, at + kGenerationAt, 8, generation);
  put_number(bytes_, at + kKindAt, 4, static_cast<std::uint32_t>(derivation.kind));
  put_number(bytes_, at + kPassesAt, 4, derivation.passes);
  put_number(bytes_, at + kKilobytesAt, 4, derivation.kilobytes);
  std::ranges::copy(derivation.salt, raw(bytes_, at + kSaltAt));
  randombytes_buf(raw(bytes_, at + kNonceAt), crypto_aead_xchacha20poly1305_ietf_NPUBBYTES);
  const std::string binding = binding_of(bytes_, at);
  crypto_aead_xchacha20poly1305_ietf_encrypt(
      raw(bytes_, at + kWrappedAt), nullptr, page_key.data(), page_key.size(), raw(binding, 0),
      binding.size(), nullptr, raw(bytes_, at + kNonceAt), key.derived(derivation).data());
  std::ranges::copy(checksum_of(bytes_, at), raw(bytes_, at + kChecksumAt));
}

std::optional<Secret> SealedHeader::unwrap(std::size_t index, const GalleryKey& key) const {
  const std::optional<Slot> slot = read_slot(index);
  if (!slot || slot->derivation.kind != key.kind()) return std::nullopt;
  const std::size_t at = slot_begin(index);
  const std::string binding = binding_of(bytes_, at);
  Secret opened(PageSeal::kKeyBytes);
  const int code = crypto_aead_xchacha20poly1305_ietf_decrypt(
      opened.data(), nullptr, nullptr, raw(bytes_, at + kWrappedAt), kWrappedBytes, raw(binding, 0),
      binding.size(), raw(bytes_, at + kNonceAt), key.derived(slot->derivation).data());
  if (code != 0) return std::nullopt;
  return opened;
}

Secret SealedHeader::page_key(const GalleryKey& key, std::string_view name) const {
  // Between the two steps of a change both secrets open it.
  for (std::size_t i = 0; i < kSlots; ++i) {
    if (std::optional<Secret> opened = unwrap(i, key)) return std::move(*opened);
  }
  const bool asks_passphrase =
      read_slot(newest_slot(name))->derivation.kind == KeyDerivation::Kind::kPassphrase;
  const bool has_passphrase = key.kind() == KeyDerivation::Kind::kPassphrase;
  if (asks_passphrase != has_passphrase) {
    throw Error("The gallery {} is encrypted with a {}, not with a {}.", name,
                asks_passphrase ? "passphrase" : "key file",
                has_passphrase ? "passphrase" : "key file");
  }
  throw Error("The key does not open the gallery {}.", name);
}

}  // namespace longshot
