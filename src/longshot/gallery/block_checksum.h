// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace longshot {

// Finds damage, not attacks: 64 bits over the bytes, their number and the seed, read at about the
// speed of memory. A change inside one group of eight bytes is always found, any other one but for
// one in 2^64. Kept in galleries (docs/formats.md), so it never changes.
std::uint64_t block_checksum(std::span<const std::byte> bytes, std::uint64_t seed);

}  // namespace longshot
