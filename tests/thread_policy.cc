// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/parallel.h"

namespace longshot {
namespace {

// Tests call the modules, below the public face that makes BLAS single-threaded for each call.
[[maybe_unused]] const bool kThreadPolicy = [] {
  set_thread_count(0);
  return true;
}();

}  // namespace
}  // namespace longshot
