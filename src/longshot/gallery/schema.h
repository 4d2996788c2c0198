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

// For version i + 1, as SQL: temporary views through which a reader sees such a file as the newest
// version would be. The newest needs none.
Migrations gallery_views();

// Makes the tables in a new file (with Access::kCreate) and brings an older file up to date, each
// in one transaction; one that is opened for reading is shown through its views. Throws Error for a
// file that is not a gallery, is empty, of a newer version, or of an older one without views.
void prepare_schema(const Database& database, Migrations migrations = gallery_migrations(),
                    Migrations views = {});

}  // namespace longshot
