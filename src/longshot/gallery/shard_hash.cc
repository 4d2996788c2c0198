// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/shard_hash.h"

#include <cassert>
#include <string>

#include "longshot/gallery/content_hash.h"

namespace longshot {

std::uint64_t name_hash(std::string_view name) {
  const std::string bytes = content_hash(name);
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < 8; ++i) hash = hash << 8 | static_cast<unsigned char>(bytes[i]);
  return hash;
}

Index shard_of(std::string_view name, Index shards) {
  assert(shards >= 1);
  // Constants and rounding are those of the paper: other ones would move everybody.
  std::uint64_t key = name_hash(name);
  std::int64_t shard = -1;
  std::int64_t next = 0;
  while (next < shards) {
    shard = next;
    key = key * 2862933555777941757ULL + 1;
    next = static_cast<std::int64_t>(
        static_cast<double>(shard + 1) *
        (static_cast<double>(std::int64_t{1} << 31) / static_cast<double>((key >> 33) + 1)));
  }
  return shard;
}

}  // namespace longshot
