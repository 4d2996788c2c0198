// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "job.h"
#include "supervise.h"

namespace longshot::mpi {

// The exit codes of longshot: done; done but for some inputs; nothing done; another person.
inline constexpr int kDone = 0;
inline constexpr int kSomeRejected = 1;
inline constexpr int kNothingDone = 2;
inline constexpr int kNoMatch = 3;

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

// The document to a file, or to stdout where none is named.
void deliver(const std::string& document, const std::string& file);

}  // namespace longshot::mpi
