// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "longshot/evaluate.h"

#include "commands.h"
#include "terminal_progress.h"

namespace longshot::cli {
namespace {

struct SynthArguments {
  SyntheticOptions set;
  std::string size = to_string(SyntheticOptions().size);
  std::string out;
};

int run_synth(const SynthArguments& arguments, const Context& context) {
  SyntheticOptions options = arguments.set;
  options.size = parse_size(arguments.size);
  options.seed = context.seed;
  const std::ptrdiff_t photos =
      write_synthetic_people(arguments.out, options, TerminalProgress(context.quiet).callback());
  return after_change([&] {
    print_result(
        fmt::format("{} photos of {} people in {}\n", photos, options.people, arguments.out));
  });
}

}  // namespace

Action add_synth(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<SynthArguments>();
  CLI::App* command =
      add_command(app, "synth", "Write photos of synthetic people, which need nobody's photo.",
                  "longshot synth --people 100 --photos 5 --out people");
  SynthArguments& a = *arguments;
  command->add_option("--people", a.set.people, "How many people")->required();
  command->add_option("--photos", a.set.photos, "Photos of each, the first under frontal light")
      ->required();
  command->add_option("--size", a.size, "Rows x columns of a photo")->capture_default_str();
  command->add_option("--out", a.out, "Folder for the photos and manifest.csv")->required();
  return [arguments, &context] { return run_synth(*arguments, context); };
}

}  // namespace longshot::cli
