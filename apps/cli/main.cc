// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "build_info.h"
#include "commands.h"
#include "parse_complaint.h"
#include "process.h"
#include "self_description.h"
#include "terminal_progress.h"
#include "terminal_text.h"
#include "ways_out.h"

namespace longshot::cli {
namespace {

constexpr std::array kCommands = {
    add_audit,    add_bench, add_camera,  add_degrade,  add_demo,    add_doctor, add_enroll,
    add_evaluate, add_faces, add_gallery, add_identify, add_normals, add_people, add_relight,
    add_seal,     add_serve, add_synth,   add_train,    add_unseal,  add_verify, add_version};

void add_global_options(CLI::App& app, Context& context) {
  app.set_version_flag("-V,--version", version_line, "Print version, commit and instruction set");
  app.add_flag("--quiet", context.quiet, "Show no progress, only results, rejections and errors");
  app.add_option("--threads", context.threads,
                 "Threads to use, 0 for all cores; never changes a result")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  app.add_option("--seed", context.seed, "Seed of all randomness")->capture_default_str();
  app.add_flag("--confine", context.confine,
               "Decode pictures in processes that can do nothing else; never changes a result");
  app.add_option("--log-level", context.log_level, "Messages to show on stderr")
      ->capture_default_str()
      ->check(CLI::IsMember({"debug", "info", "warn", "error", "off"}));
}

void apply_global_options(Context& context) {
  v0::set_threads(context.threads);
  v0::set_decoders_confined(context.confine);
  spdlog::set_default_logger(spdlog::stderr_color_mt("longshot"));
  spdlog::set_pattern("longshot: %l: %v");
  spdlog::set_level(spdlog::level::from_str(context.log_level));
}

int fail(const std::string& message) {
  print_message(message);
  return kNothingDone;
}

// Whether all that these words could name are commands: help has an answer.
bool name_commands(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* level = &app;
  for (const std::string& word : words) {
    const std::vector<const CLI::App*> commands =
        level->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty()) return true;
    const auto named = std::ranges::find(commands, word, &CLI::App::get_name);
    if (named == commands.end()) return false;
    level = *named;
  }
  return true;
}

// The arguments as the parser wants them, the last first; "help identify" is "identify --help", and
// what follows "help" and is no command is left to the parser to complain about.
std::vector<std::string> parsed_arguments(const CLI::App& app,
                                          const std::vector<std::string>& arguments) {
  std::vector<std::string> words(arguments.begin() + 1, arguments.end());
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    if (name_commands(app, words)) words.emplace_back("--help");
  }
  std::ranges::reverse(words);
  return words;
}

int run(int argc, char** argv) {
  CLI::App app(
      "Recognise faces that are only a few pixels wide.\n"
      "Example: longshot demo --out demo",
      "longshot");
  app.require_subcommand(1);
  Context context;
  context.arguments.assign(argv, argv + argc);
  add_global_options(app, context);
  std::vector<Action> actions;
  for (const auto& add : kCommands) actions.push_back(add(app, context));
  if (const std::optional<int> code = describe_itself(app, context.arguments)) return *code;
  try {
    app.parse(parsed_arguments(app, context.arguments));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return fail(parse_complaint(app, error));
  }
  apply_global_options(context);
  catch_interrupts();
  // Subcommands are kept in the order in which they were added.
  const std::vector<CLI::App*> known = app.get_subcommands([](CLI::App*) { return true; });
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!known[i]->parsed()) continue;
    offer_options_of(*known[i]);
    return actions[i]();
  }
  return fail("No command was given.");
}

}  // namespace
}  // namespace longshot::cli

int main(int argc, char** argv) {
  using longshot::cli::fail;
  try {
    longshot::cli::prepare_process();
    return longshot::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    return fail("There is not enough memory for this.");
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(fmt::format("{}: {}.", error.path1().string(), error.code().message()));
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}
