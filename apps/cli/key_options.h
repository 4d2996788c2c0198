// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "longshot/key.h"

namespace longshot::cli {

// Where the key of an encrypted gallery comes from. Never the key itself, which everybody could
// read in the list of processes.
struct KeyArguments {
  std::string file;
  bool passphrase = false;
};

// Adds --key-file, or with "new-" that of a second key.
CLI::Option* add_key_file(CLI::App& command, KeyArguments& key, const std::string& prefix = "");
// Adds --key-file and --passphrase, or with "new-" the options of a second key.
void add_key_options(CLI::App& command, KeyArguments& key, const std::string& prefix = "");

// The key that the options name, or else the one of the descriptor in LONGSHOT_KEY_FD; none if
// there is none. A passphrase is asked for on the terminal. Throws Error.
v0::Key read_key(const KeyArguments& key);
// The second key, of which there must be one; its passphrase is asked for twice.
v0::Key read_new_key(const KeyArguments& key);

}  // namespace longshot::cli
