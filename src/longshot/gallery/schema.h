// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "longshot/gallery/database.h"

namespace longshot {

// Marks the file as ours; "LSGA", shown by file(1) and in the header of the file.
inline constexpr std::int64_t kGalleryApplicationId = 0x4c534741;

// The step from version i to version i + 1, as SQL; the first makes the tables. A step that was
// released never changes.
using Migrations = std::span<const char* const>;
Migrations gallery_migrations();

// Bits of a template's id that hold the person; those above hold the index. One table for all
// indexes whose order on disk is the order in which they are searched.
inline constexpr int kPersonBits = 40;

// Makes the tables in a new file (with Access::kCreate) and brings an older file up to date (unless
// opened for reading), each in one transaction. Throws Error for a file that is not a gallery, is
// empty, or of a newer version.
void prepare_schema(const Database& database, Migrations migrations = gallery_migrations());

}  // namespace longshot
