// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "longshot/gallery/gallery_key.h"
#include "longshot/gallery/page_seal.h"

namespace longshot {

// The first bytes of a sealed gallery (docs/formats.md): its id and cipher, and in one of two slots
// the key of its pages, itself sealed with the key that the user's secret becomes. Another secret
// goes into the other slot, so that one of them is whole at any moment.
class SealedHeader {
 public:
  static constexpr std::size_t kBytes = 4096;
  static constexpr std::size_t kSlotBytes = 512;
  static constexpr std::size_t kSlots = 2;

  static bool is_sealed(std::string_view bytes);
  // A new file with a new key.
  static SealedHeader create(const GalleryKey& key);
  // Throws Error for `name` if the bytes are damaged, or of a newer version.
  static SealedHeader parse(std::string_view bytes, std::string_view name);

  const std::string& bytes() const { return bytes_; }
  // Throws Error if it is another key.
  std::unique_ptr<const PageSeal> open(const GalleryKey& key, std::string_view name) const;

  // For a change of the secret: writes the key of the pages into the slot that is not the newest,
  // then empties the others. Each returns the slot to be written.
  std::size_t add_slot(const GalleryKey& old_key, const GalleryKey& new_key, std::string_view name);
  std::size_t forget_other_slots();
  std::string_view slot(std::size_t index) const;
  static std::size_t slot_begin(std::size_t index) { return kSlotBytes * (index + 1); }

 private:
  struct Slot {
    std::uint64_t generation = 0;
    KeyDerivation derivation;
  };
  explicit SealedHeader(std::string bytes) : bytes_(std::move(bytes)) {}
  std::optional<Slot> read_slot(std::size_t index) const;
  std::size_t newest_slot(std::string_view name) const;
  void write_slot(std::size_t index, std::uint64_t generation, const Secret& page_key,
                  const GalleryKey& key);
  std::optional<Secret> unwrap(std::size_t index, const GalleryKey& key) const;
  Secret page_key(const GalleryKey& key, std::string_view name) const;

  std::string bytes_;  // kBytes
};

}  // namespace longshot
