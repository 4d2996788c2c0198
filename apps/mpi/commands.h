// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "cli/context.h"
#include "job.h"
#include "supervise.h"

namespace longshot::mpi {

using cli::kDone;
using cli::kNoMatch;
using cli::kNothingDone;
using cli::kSomeRejected;

// What the options before the command say, and the job once it runs.
struct Context {
  int threads = 0;
  bool cost = false;  // say what the messages have cost
  Job* job = nullptr;
  Describe describe;
};

// Each adds its subcommand; the action runs on all ranks, and rank 0 gives the exit code.
using Action = std::function<int()>;
Action add_identify(CLI::App& app, Context& context);
Action add_verify(CLI::App& app, Context& context);
Action add_enroll(CLI::App& app, Context& context);
Action add_people(CLI::App& app, Context& context);
Action add_evaluate(CLI::App& app, Context& context);
Action add_serve(CLI::App& app, Context& context);

// One line on stderr, with the options that are ways out.
void complain(std::string_view text);

// The document to a file, or to stdout where none is named.
void deliver(const std::string& document, const std::string& file);

}  // namespace longshot::mpi
