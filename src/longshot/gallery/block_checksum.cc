// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/block_checksum.h"

#include <array>
#include <bit>
#include <cstring>

namespace longshot {
namespace {

constexpr std::size_t kLanes = 4;  // independent, so that multiplications overlap
constexpr std::size_t kWordBytes = sizeof(std::uint64_t);
// Odd, so that every step is a bijection of its word; the digits are of the golden ratio.
constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;

static_assert(std::endian::native == std::endian::little, "files are written as memory holds them");

std::uint64_t word_at(const std::byte* at, std::size_t size) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, size);
  return word;
}

std::uint64_t mixed(std::uint64_t state, std::uint64_t word) {
  return std::rotl((state ^ word) * kFactor, 29);
}

}  // namespace

std::uint64_t block_checksum(std::span<const std::byte> bytes, std::uint64_t seed) {
  std::array<std::uint64_t, kLanes> lanes{};
  for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = seed + lane * kFactor;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= kLanes * kWordBytes; left -= kLanes * kWordBytes) {
    for (std::uint64_t& lane : lanes) {
      lane = mixed(lane, word_at(at, kWordBytes));
      at += kWordBytes;
    }
  }
  for (std::size_t lane = 0; left > 0; ++lane) {
    const std::size_t size = left < kWordBytes ? left : kWordBytes;
    lanes[lane] = mixed(lanes[lane], word_at(at, size));
    at += size;
    left -= size;
  }
  std::uint64_t sum = bytes.size();
  for (const std::uint64_t lane : lanes) sum = mixed(sum, lane);
  return sum ^ (sum >> 32);
}

}  // namespace longshot
