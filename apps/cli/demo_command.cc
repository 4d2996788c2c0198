// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/ranges.h>

#include "longshot/evaluate.h"

#include "commands.h"
#include "experiment_output.h"
#include "terminal_progress.h"

namespace longshot::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::ptrdiff_t kTrainingPeople = 40;  // enough for bases of a dozen dimensions, and quick

struct DemoArguments {
  std::string out = "longshot-demo";
  std::ptrdiff_t people = SyntheticOptions().people;
};

// Our method, the paper's, and what they are measured against.
EvaluateOptions demo_options(const Context& context) {
  EvaluateOptions options;
  options.methods = {"longshot", "slrfr", "kernel", "joint", "subspace", "pca", "pca-ext"};
  options.profile = "best";
  options.noise = {0.0, 5.0, 10.0};
  options.seed = context.seed;
  return options;
}

// Rank one of every method at every size, without noise.
std::string short_table(const Evaluation& evaluation, const EvaluateOptions& options) {
  std::string text = fmt::format("{:<22}", "right person first, %");
  for (const Size size : options.sizes) text += fmt::format("{:>8}", to_string(size));
  for (const std::string& method : options.methods) {
    text += fmt::format("\n{:<22}", method);
    for (const MethodResult& result : evaluation.results()) {
      if (result.method == method && result.noise == options.noise.front()) {
        text += fmt::format("{:>8.1f}", result.rank1);
      }
    }
  }
  return text + "\n";
}

// How to make the report, and how to run the same on other faces.
std::string demo_commands(const fs::path& people, const EvaluateOptions& options,
                          const Context& context) {
  std::vector<std::string> sizes;
  for (const Size size : options.sizes) sizes.push_back(to_string(size));
  const std::vector<std::string> evaluate = {"longshot",
                                             "--seed",
                                             fmt::format("{}", options.seed),
                                             "evaluate",
                                             "--protocol",
                                             "roles",
                                             "--data",
                                             people.string(),
                                             "--methods",
                                             fmt::format("{}", fmt::join(options.methods, ",")),
                                             "--profile",
                                             options.profile,
                                             "--sizes",
                                             fmt::format("{}", fmt::join(sizes, ",")),
                                             "--noise",
                                             fmt::format("{}", fmt::join(options.noise, ",")),
                                             "--report",
                                             "report.html"};
  return fmt::format("{}\n\n# the same measurement alone; --data may name any other faces\n{}",
                     command_line(context.arguments), command_line(evaluate));
}

int run_demo(const DemoArguments& arguments, const Context& context) {
  const fs::path out = arguments.out;
  const fs::path people = out / "people";
  SyntheticOptions synthetic;
  synthetic.people = arguments.people;
  synthetic.training = std::min(kTrainingPeople, arguments.people);
  synthetic.seed = context.seed;
  write_synthetic_people(people, synthetic, TerminalProgress(context.quiet).callback());

  const EvaluateOptions options = demo_options(context);
  const Evaluation evaluation =
      evaluate(people, options, TerminalProgress(context.quiet).callback());
  evaluation.write_report(out / "report.html",
                          {fmt::format("{} synthetic people", arguments.people),
                           demo_commands(people, options, context), ""});
  const int told = after_change([&] {
    print_result(short_table(evaluation, options) +
                 fmt::format("Open {}\n", (out / "report.html").string()));
  });
  return std::max(told, report_rejections(evaluation.rejections()));
}

}  // namespace

Action add_demo(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<DemoArguments>();
  CLI::App* command = add_command(
      app, "demo",
      "Make synthetic people, enrol one photo of each, recognise their low-resolution faces under "
      "other lights, and write a report.",
      "longshot demo --people 20 --out longshot-demo");
  DemoArguments& a = *arguments;
  command->add_option("--out", a.out, "Folder for the people and report.html")
      ->capture_default_str();
  command->add_option("--people", a.people, "How many people to enrol")
      ->capture_default_str()
      ->check(CLI::Range(4, 100000));
  return [arguments, &context] { return run_demo(*arguments, context); };
}

}  // namespace longshot::cli
