// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "longshot/longshot.h"

namespace longshot::cli {

// The exit codes: done; done but for some inputs; nothing done; and of verify, another person.
inline constexpr int kDone = 0;
inline constexpr int kSomeRejected = 1;
inline constexpr int kNothingDone = 2;
inline constexpr int kNoMatch = 3;

// What the options before the command say.
struct Context {
  bool quiet = false;
  int threads = 0;
  std::uint64_t seed = 1;
  std::string log_level = "warn";
  bool confine = false;
  std::vector<std::string> arguments;  // the command line, to be repeated in reports
};

// Adds a subcommand whose help begins with an example.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& what,
                      const std::string& example);

// Adds --json [FILE] to a command.
void add_json_option(CLI::App& command, std::string& json, const std::string& what);

// Writes to stdout, as a terminal may have it. Throws Error if that is closed or full.
void print_result(const std::string& text);

// Runs `tell`, which prints or writes what a change has brought. The change stays made: an Error is
// named on stderr and makes kSomeRejected instead of kDone.
int after_change(const std::function<void()>& tell);

// The text to stdout, and the document to the file of --json; "-": the document to stdout instead.
void deliver(const std::string& text, const std::string& document, const std::string& json);

// Names inputs that were used although something is amiss on stderr; of those with the same reason
// the first, and how many others there are.
void report_warnings(const std::vector<v0::Rejection>& warnings);

// Names each rejected input on stderr; returns kSomeRejected if there is any, otherwise kDone.
int report_rejections(const std::vector<v0::Rejection>& rejections);

}  // namespace longshot::cli
