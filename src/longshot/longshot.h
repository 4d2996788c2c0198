// SPDX-License-Identifier: Apache-2.0
#pragma once

// The library's public face (docs/library.md): standard types only, nothing printed, no setting of
// the process touched.

#include <string>

#include "longshot/audit.h"
#include "longshot/camera.h"
#include "longshot/clips.h"
#include "longshot/error.h"
#include "longshot/evaluate.h"
#include "longshot/export.h"
#include "longshot/faces.h"
#include "longshot/gallery.h"
#include "longshot/key.h"
#include "longshot/options.h"
#include "longshot/picture.h"
#include "longshot/recognizer.h"
#include "longshot/relighting.h"
#include "longshot/report.h"
#include "longshot/results.h"
#include "longshot/shards.h"
#include "longshot/sparse.h"
#include "longshot/system.h"

namespace longshot::v0 {

// Threads of all later work of the library in this process; 0: all cores. Never changes a result.
// Also leaves OpenBLAS at one thread, which each call uses anyway. Throws Error if < 0.
LONGSHOT_API void set_threads(int count);
LONGSHOT_API int threads();

LONGSHOT_API std::string version();  // "0.1.0"

}  // namespace longshot::v0
