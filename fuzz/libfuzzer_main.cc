// SPDX-License-Identifier: Apache-2.0
// What libFuzzer calls: the target that LONGSHOT_FUZZ_TARGET names.
#include <cstdio>
#include <cstdlib>

#include "target.h"

namespace {

const longshot::fuzz::Target& chosen_target() {
  const char* const name = std::getenv("LONGSHOT_FUZZ_TARGET");
  const auto& all = longshot::fuzz::targets();
  const auto found = all.find(name == nullptr ? "" : name);
  if (found == all.end()) {
    std::fputs("LONGSHOT_FUZZ_TARGET must name a target: a file of fuzz/targets.\n", stderr);
    std::exit(2);
  }
  return found->second;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const longshot::fuzz::Target& target = chosen_target();
  longshot::fuzz::run(target, {reinterpret_cast<const char*>(data), size});
  return 0;
}
