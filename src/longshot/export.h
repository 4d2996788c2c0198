// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the shared library shows; everything else is hidden (see docs/library.md).
#define LONGSHOT_API __attribute__((visibility("default")))
