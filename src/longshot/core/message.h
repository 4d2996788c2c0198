// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "longshot/core/error.h"

namespace longshot {

// What this program and its helpers say to each other over a socket: a head of 16 bytes (magic,
// kind, number of bytes), then as many bytes. Both run on one machine, so numbers are its own.
struct Message {
  std::uint32_t kind = 0;  // means what the two agree on
  std::string bytes;
};

struct MessageHead {
  std::uint32_t magic = kMagic;
  std::uint32_t kind = 0;
  std::uint64_t bytes = 0;

  static constexpr std::uint32_t kMagic = 0x4d534c31;
};

// Fixed parts of messages, as they lie in memory.
template <typename Value>
std::string_view bytes_of(const Value& value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  return {reinterpret_cast<const char*>(&value), sizeof(Value)};
}

// The value at the beginning of a message; throws Error for one that is too short.
template <typename Value>
Value value_of(std::string_view bytes) {
  static_assert(std::is_trivially_copyable_v<Value>);
  if (bytes.size() < sizeof(Value)) throw Error("A message of a helper program is too short.");
  Value value;
  std::memcpy(&value, bytes.data(), sizeof(Value));
  return value;
}

}  // namespace longshot
