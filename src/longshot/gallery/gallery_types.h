// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/gallery/gallery_key.h"

namespace longshot {

using PersonId = std::int64_t;  // from 1
using PhotoId = std::int64_t;   // from 1

// Ids above do not fit beside the number of an index (schema.h).
inline constexpr PersonId kLastPersonId = (PersonId{1} << 40) - 1;

inline constexpr Index kNoLimit = std::numeric_limits<Index>::max();

// People by id, both ends included.
struct IdRange {
  PersonId first = 1;
  PersonId last = std::numeric_limits<PersonId>::max();
};

struct GalleryOptions {
  int wait_ms = 10000;  // how long to wait for another process that writes, ms, 0 to 3600000
  int cache_mb = 32;    // pages kept in memory, MB, 1 to 4096
  GalleryKey::Shared key = nullptr;  // of an encrypted gallery

  // Throws Error naming the field that is out of range.
  void check() const;
};

struct Person {
  PersonId id = 0;
  std::string name;         // UTF-8
  Index photos = 0;         // how many
  std::string enrolled_at;  // UTC, "2026-01-31T12:00:00Z"
};

// Seconds since 1970 as "2026-01-31T12:00:00Z".
std::string utc_time(std::int64_t seconds);
// And back. Throws Error for other text.
std::int64_t utc_seconds(const std::string& time);

// Throws Error unless the name is 1 to 255 bytes of UTF-8 without control characters, and neither
// begins nor ends with a space.
void check_person_name(std::string_view name);

// The aligned face of a photo, and whence it came.
struct Photo {
  PhotoId id = 0;
  PersonId person = 0;
  Index rows = 0;                             // 1 to 10000
  Index cols = 0;                             // 1 to 10000
  std::vector<std::uint8_t> pixels;           // rows x cols grey levels, row by row from the top
  std::optional<std::array<double, 4>> eyes;  // in the source photo, pixels: lx, ly, rx, ry
  std::string source;                     // path or other name of the source photo, may be empty
  std::string content_hash;               // see content_hash.h; may be empty: never found
  std::map<std::string, double> quality;  // figures by name, finite
  std::string added_at;                   // UTC, "2026-01-31T12:00:00Z"

  // Throws Error unless sizes agree and numbers are finite.
  void check() const;
};

// Which photos a person has. Ids of photos grow and photos never change, so two equal marks of a
// person mean the same photos.
struct PhotosMark {
  PersonId person = 0;
  Index photos = 0;
  PhotoId last = 0;

  bool operator==(const PhotosMark&) const = default;
};

// What an index takes in the file.
struct IndexSize {
  std::string key;
  std::int64_t bytes = 0;  // of its templates and data
};

// Templates of several people, one after the other.
struct TemplateBlock {
  std::vector<PersonId> people;    // n, ascending
  std::vector<std::size_t> begin;  // n + 1: where each person's values begin; the last is the end
  std::vector<float> values;       // at least so many; what follows the end is of an earlier block

  Index size() const { return static_cast<Index>(people.size()); }
  std::span<const float> values_of(Index i) const {
    const auto at = static_cast<std::size_t>(i);
    return std::span(values).subspan(begin[at], begin[at + 1] - begin[at]);
  }
};

}  // namespace longshot
