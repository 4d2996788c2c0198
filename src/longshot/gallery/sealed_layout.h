// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "longshot/gallery/page_seal.h"

namespace longshot {

// Large enough that templates of some kilobytes leave little of a page unused.
inline constexpr std::int64_t kPageBytes = 16384;

// A piece of a file as SQLite sees it, and where it lies sealed. A page keeps its seal in the bytes
// that SQLite reserves at its end, so it takes the same place; all else grows by its seal.
struct SealedPiece {
  std::int64_t begin = 0;  // as SQLite sees it
  std::int64_t size = 0;
  std::int64_t sealed_begin = 0;  // in the file
  std::int64_t sealed_size = 0;
  bool is_page = false;

  std::int64_t end() const { return begin + size; }
  // Bytes that are encrypted; the seal follows them.
  std::int64_t content() const { return sealed_size - std::int64_t{PageSeal::kBytes}; }
};

// The piece that holds the byte at `offset`:
//   kDatabase  pages, behind the header of the file
//   kLog       the log's header of 32 bytes, then headers of 24 bytes and pages in turn
//   kJournal   blocks of 4096 bytes, SQLite's sector for such files
SealedPiece sealed_piece(SealedPart part, std::int64_t offset);

// As SQLite sees a file of that many bytes. What is not a whole piece does not count.
std::int64_t plain_size(SealedPart part, std::int64_t sealed_bytes);
// The file's bytes when SQLite sees that many: all pieces that are begun.
std::int64_t sealed_size(SealedPart part, std::int64_t plain_bytes);

}  // namespace longshot
