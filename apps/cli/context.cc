// SPDX-License-Identifier: Apache-2.0
#include "context.h"

#include <cstddef>
#include <cstdio>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "terminal_text.h"

namespace longshot::cli {
namespace {

// Shows the example, kept as the footer, before everything else.
class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override {
    return fmt::format("Example: {}\n\n{}\n", app->get_footer(), app->get_description());
  }
  std::string make_footer(const CLI::App* /*app*/) const override { return ""; }
};

}  // namespace

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& what,
                      const std::string& example) {
  CLI::App* command = app.add_subcommand(name, what);
  command->footer(example);
  command->formatter(std::make_shared<HelpFormatter>());
  return command;
}

void add_json_option(CLI::App& command, std::string& json, const std::string& what) {
  command.add_option("--json", json, fmt::format("Write {} as JSON to FILE, or to stdout", what))
      ->expected(0, 1)
      ->default_str("-");
}

void print_result(const std::string& text) {
  const std::string clean = shown_lines(text);
  if (std::fwrite(clean.data(), 1, clean.size(), stdout) != clean.size() ||
      std::fflush(stdout) != 0) {
    throw Error(ErrorKind::no_space, "Cannot write the result to standard output.");
  }
}

int after_change(const std::function<void()>& tell) {
  try {
    tell();
  } catch (const Error& error) {
    print_message(fmt::format("It is done, but: {}", error.what()));
    return kSomeRejected;
  }
  return kDone;
}

void deliver(const std::string& text, const std::string& document, const std::string& json) {
  if (json == "-") return print_result(document);
  if (!json.empty()) v0::write_file(json, document);
  print_result(text);
}

void report_warnings(const std::vector<v0::Rejection>& warnings) {
  constexpr std::ptrdiff_t kNamed = 5;  // of one reason
  std::map<std::string_view, std::ptrdiff_t> seen;
  for (const v0::Rejection& warning : warnings) {
    if (++seen[warning.reason] > kNamed) continue;
    print_message(fmt::format("{}: warning: {}", warning.name, warning.reason));
  }
  for (const auto& [reason, count] : seen) {
    if (count <= kNamed) continue;
    print_message(
        fmt::format("{}: warning: {}", counted(count - kNamed, "other", "others"), reason));
  }
}

int report_rejections(const std::vector<v0::Rejection>& rejections) {
  for (const v0::Rejection& rejection : rejections) {
    print_message(fmt::format("{}: {}", rejection.name, rejection.reason));
  }
  return rejections.empty() ? kDone : kSomeRejected;
}

}  // namespace longshot::cli
