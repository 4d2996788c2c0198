// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/sealed_header.h"

#include <array>

#include "../target.h"

namespace longshot::fuzz {
namespace {

void read_any_sealed_header(std::string_view bytes) {
  constexpr std::array<unsigned char, 32> kZeros{};
  const GalleryKey key(KeyDerivation::Kind::kFile, kZeros);
  if (bytes.size() < SealedHeader::kBytes || !SealedHeader::is_sealed(bytes)) return;
  SealedHeader header = SealedHeader::parse(bytes.substr(0, SealedHeader::kBytes), "gallery");
  header.open(key, "gallery");
  header.add_slot(key, key, "gallery");
  header.forget_other_slots();
}

const Registered sealed_header("sealed_header", read_any_sealed_header);

}  // namespace
}  // namespace longshot::fuzz
