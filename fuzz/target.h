// SPDX-License-Identifier: Apache-2.0
#pragma once

// A target gives the bytes of one file or message to one reader. The reader may answer, or throw
// Error with its one sentence; anything else is a finding. libFuzzer runs them one by one
// (scripts/fuzz), the tests run all over fuzz/cases (replay_test.cc).

#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "longshot/error.h"

namespace longshot::fuzz {

using Target = std::function<void(std::string_view bytes)>;

// The targets of this program by name.
inline std::map<std::string, Target>& targets() {
  static std::map<std::string, Target> all;
  return all;
}

struct Registered {
  Registered(const char* name, Target target) { targets().emplace(name, std::move(target)); }
};

// Runs it; an Error is as good an answer as any, if it says something. Whether there was none.
inline bool run(const Target& target, std::string_view bytes) {
  try {
    target(bytes);
    return true;
  } catch (const Error& error) {
    if (std::string_view(error.what()).empty()) std::terminate();
    return false;
  }
}

// A file that holds the bytes, for readers that want a name; the same for all of a process.
std::filesystem::path file_of(std::string_view bytes, const std::string& name);
// The folder of such files.
std::filesystem::path scratch_folder();

// Our own binary files end with a checksum, which no fuzzer guesses: with the length and the
// checksum that the bytes should have.
std::string with_checksum(std::string_view bytes, std::size_t magic_bytes);

}  // namespace longshot::fuzz
