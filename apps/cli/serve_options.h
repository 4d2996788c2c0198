// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "serve.h"

namespace longshot::cli {

// How a server listens and what it bears, as `longshot serve` and `longshot-mpi serve` are told.
struct ServeArguments {
  server::ServeOptions options;
  std::string gallery;
  std::string token_file;
  double max_body = 32.0;    // MB
  double max_pixels = 12.0;  // millions
};

void add_serve_options(CLI::App& command, ServeArguments& arguments);

// What they ask for.
server::ServeOptions serve_options(const ServeArguments& arguments);

// Says where the page is, and warns on stderr in the name of the program.
server::ServeMessages serve_messages(const std::function<void(const std::string&)>& warn);

}  // namespace longshot::cli
