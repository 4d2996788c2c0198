// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/erasing_vfs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <list>
#include <mutex>
#include <new>
#include <vector>

#include <sqlite3.h>

#include "longshot/core/error.h"
#include "longshot/gallery/sealing_vfs.h"

namespace longshot {
namespace {

constexpr std::size_t kFileHeader = 100;
constexpr int kSmallestPage = 512;

// The system's methods with another xWrite and xTruncate. They stand first, so that these find the
// rest.
struct Methods {
  sqlite3_io_methods changed{};
  const sqlite3_io_methods* original = nullptr;
};

int write_erased(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
  const auto* methods = reinterpret_cast<const Methods*>(file->pMethods);
  const bool whole_page = count >= kSmallestPage &&
                          std::has_single_bit(static_cast<unsigned>(count)) && offset % count == 0;
  if (!whole_page) return methods->original->xWrite(file, bytes, count, offset);
  thread_local std::vector<unsigned char> page;
  try {
    const auto* begin = static_cast<const unsigned char*>(bytes);
    page.assign(begin, begin + count);
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
  erase_unused(page, offset == 0);
  return methods->original->xWrite(file, page.data(), count, offset);
}

// Blocks that a file gives back to the file system would keep what stood there.
int truncate_erased(sqlite3_file* file, sqlite3_int64 size) {
  constexpr sqlite3_int64 kPiece = 1 << 14;  // one page, as the layer below may encrypt
  const auto* methods = reinterpret_cast<const Methods*>(file->pMethods);
  sqlite3_int64 end = 0;
  if (methods->original->xFileSize(file, &end) == SQLITE_OK) {
    static const std::array<unsigned char, kPiece> zeros{};
    for (sqlite3_int64 at = size; at < end; at += kPiece) {
      const auto count = static_cast<int>(std::min(kPiece, end - at));
      const int code = methods->original->xWrite(file, zeros.data(), count, at);
      if (code != SQLITE_OK) return code;
    }
    if (size < end) methods->original->xSync(file, SQLITE_SYNC_NORMAL);
  }
  return methods->original->xTruncate(file, size);
}

// One for each kind of file that the system knows; they live as long as the process.
const sqlite3_io_methods* erasing_methods(const sqlite3_io_methods* original) {
  static std::mutex mutex;
  static std::list<Methods> known;
  const std::scoped_lock lock(mutex);
  const auto found = std::ranges::find(known, original, &Methods::original);
  if (found != known.end()) return &found->changed;
  Methods& methods = known.emplace_back(Methods{*original, original});
  methods.changed.iVersion = std::min(original->iVersion, 2);  // no memory mapping past xWrite
  methods.changed.xWrite = write_erased;
  methods.changed.xTruncate = truncate_erased;
  return &methods.changed;
}

// An erasing VFS keeps the one that it stands on in pAppData.
int open_erasing(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags,
                 int* flags_out) {
  auto* below = static_cast<sqlite3_vfs*>(vfs->pAppData);
  const int code = below->xOpen(below, name, file, flags, flags_out);
  if (code != SQLITE_OK || (flags & SQLITE_OPEN_MAIN_DB) == 0) return code;
  try {
    file->pMethods = erasing_methods(file->pMethods);
  } catch (const std::bad_alloc&) {
    file->pMethods->xClose(file);
    file->pMethods = nullptr;
    return SQLITE_NOMEM;
  }
  return SQLITE_OK;
}

// For `vfs`, which lives as long as the process.
const char* register_erasing(sqlite3_vfs& vfs, sqlite3_vfs* below, const char* name) {
  if (below == nullptr) return nullptr;
  vfs = *below;
  vfs.zName = name;
  vfs.pNext = nullptr;
  vfs.pAppData = below;
  vfs.xOpen = open_erasing;
  return sqlite3_vfs_register(&vfs, 0) == SQLITE_OK ? name : nullptr;
}

}  // namespace

const char* erasing_vfs(bool sealed) {
  static sqlite3_vfs plain;
  static sqlite3_vfs sealing;
  static const char* const names[] = {
      register_erasing(plain, sqlite3_vfs_find(nullptr), "longshot-erasing"),
      register_erasing(sealing, sealing_vfs(), "longshot-erasing-sealed")};
  const char* name = names[sealed ? 1 : 0];
  if (name == nullptr) throw Error("SQLite offers no access to files on this system.");
  return name;
}

void erase_unused(std::span<unsigned char> page, bool first_page) {
  const std::size_t header = first_page ? kFileHeader : 0;
  const auto number = [&](std::size_t at) {
    return std::size_t{page[header + at]} << 8 | page[header + at + 1];
  };
  const unsigned kind = page[header];
  const bool interior = kind == 2 || kind == 5;
  const bool leaf = kind == 10 || kind == 13;
  if (!interior && !leaf) return;
  const std::size_t begin = header + (interior ? 12 : 8) + 2 * number(3);
  const std::size_t end = number(5) == 0 ? 65536 : number(5);
  if (begin > end || end > page.size()) return;
  std::fill(page.begin() + static_cast<std::ptrdiff_t>(begin),
            page.begin() + static_cast<std::ptrdiff_t>(end), static_cast<unsigned char>(0));
}

}  // namespace longshot
