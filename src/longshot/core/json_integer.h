// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace longshot {

// The whole number that a value of nlohmann's JSON is. Its own get() would also take true for 1 and
// a part of a number that is too large, and for 1e72 what it does is undefined.
template <typename Json>
std::optional<std::int64_t> json_integer(const Json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  const bool too_large =
      value.is_number_unsigned() &&
      value.template get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  if (too_large) return std::nullopt;
  return value.template get<std::int64_t>();
}

}  // namespace longshot
