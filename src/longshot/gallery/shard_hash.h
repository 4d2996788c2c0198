// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "longshot/core/matrix.h"

namespace longshot {

// The first 64 bits of the content_hash() of a name.
std::uint64_t name_hash(std::string_view name);

// Which of `shards` (>= 1) a name belongs to, from 0: the jump consistent hash of Lamping and Veach
// (2014). One more shard takes its share from all the others, and nobody else moves.
Index shard_of(std::string_view name, Index shards);

}  // namespace longshot
