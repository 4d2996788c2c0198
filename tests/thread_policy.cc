// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/confined_process.h"
#include "longshot/core/parallel.h"

namespace longshot {
namespace {

// Tests call the modules, below the public face that makes BLAS single-threaded for each call, and
// are not where the helper programs are.
[[maybe_unused]] const bool kThreadPolicy = [] {
  set_thread_count(0);
  set_helper_folder(LONGSHOT_HELPERS);
  return true;
}();

}  // namespace
}  // namespace longshot
