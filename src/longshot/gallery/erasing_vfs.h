// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace longshot {

// SQLite's secure_delete overwrites what is deleted, but not the copies that stay behind in the
// unused part of a page when its entries move to another page. This is the system's file access
// with one addition: a page that is written to the database file has zeros there. As the
// write-ahead log is emptied after every removal, nothing of what was removed is left.

// Registers it once; the name to open a database with. `sealed`: it stands on sealing_vfs().
// Throws Error if SQLite has none to build on.
const char* erasing_vfs(bool sealed = false);

// With no more pages than this, 550 GB, the first byte alone tells a B-tree page from all others,
// which begin with the number of a page (https://sqlite.org/fileformat2.html, sections 1.5 to 1.7).
inline constexpr std::int64_t kMaxPages = 0x01ffffff;

// Zeros between the last cell pointer and the first cell of a B-tree page; other pages stay as they
// are. Page 1 begins with the file's header.
void erase_unused(std::span<unsigned char> page, bool first_page);

}  // namespace longshot
