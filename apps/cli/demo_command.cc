// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/ranges.h>

#include "longshot/core/private_file.h"
#include "longshot/evaluate/experiment.h"
#include "longshot/evaluate/protocol.h"
#include "longshot/evaluate/report.h"
#include "longshot/synthetic/synthetic_set.h"

#include "commands.h"
#include "experiment_output.h"

namespace longshot::cli {
namespace {

namespace fs = std::filesystem;

constexpr Index kTrainingPeople = 40;  // enough for bases of a dozen dimensions, and quick

struct DemoArguments {
  std::string out = "longshot-demo";
  Index people = 100;
};

// Our method, the paper's, and what they are measured against.
std::vector<std::string> demo_methods() {
  constexpr std::array kShown = {"longshot", "slrfr", "kernel", "joint",
                                 "subspace", "pca",   "pca-ext"};
  std::vector<std::string> methods;
  for (const std::string& name : method_names()) {
    if (std::find(kShown.begin(), kShown.end(), name) != kShown.end()) methods.push_back(name);
  }
  return methods;
}

// Rank one of every method at every size, without noise.
std::string short_table(const Experiment& experiment, const ExperimentOptions& options) {
  std::string text = fmt::format("{:<22}", "right person first, %");
  for (const Size size : options.sizes) text += fmt::format("{:>8}", to_string(size));
  for (const std::string& method : options.methods) {
    text += fmt::format("\n{:<22}", method);
    for (const ExperimentResult& result : experiment.results) {
      if (result.method == method && result.noise == options.noise.front()) {
        text += fmt::format("{:>8.1f}", result.rank1);
      }
    }
  }
  return text + "\n";
}

// How to make the report, and how to run the same on other faces.
std::string demo_commands(const fs::path& people, const ExperimentOptions& options,
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
                                             to_string(options.method.profile),
                                             "--sizes",
                                             fmt::format("{}", fmt::join(sizes, ",")),
                                             "--noise",
                                             fmt::format("{}", fmt::join(options.noise, ",")),
                                             "--report",
                                             "report.html"};
  return fmt::format("{}\n\n# the same measurement alone; --data may name any other faces\n{}",
                     command_line(context.arguments), command_line(evaluate));
}

int run_demo(const DemoArguments& arguments, Context& context) {
  const fs::path out = arguments.out;
  const fs::path people = out / "people";
  SyntheticSetOptions set;
  set.people = arguments.people;
  set.training = std::min(kTrainingPeople, arguments.people);
  set.seed = context.seed;
  write_synthetic_set(people, set, *context.progress);

  ExperimentOptions options;
  options.methods = demo_methods();
  options.method.profile = Profile::kBest;
  options.noise = {0.0, 5.0, 10.0};
  options.seed = context.seed;
  const Dataset dataset = load_dataset(people);
  const ProtocolPlan plan = plan_protocol(ProtocolKind::kRoles, dataset, {});
  const Experiment experiment = run_experiment(dataset, plan, options, *context.progress);
  const std::string page = html_report(
      {dataset, plan, options, experiment, fmt::format("{} synthetic people", arguments.people),
       today(), demo_commands(people, options, context), LONGSHOT_VERSION});
  write_private_file(out / "report.html", page);
  const int told = after_change([&] {
    print_result(short_table(experiment, options) +
                 fmt::format("Open {}\n", (out / "report.html").string()));
  });
  return std::max(told, report_rejections(experiment.rejections));
}

}  // namespace

Action add_demo(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<DemoArguments>();
  CLI::App* command = add_command(
      app, "demo",
      "Make synthetic people, enrol one photo of each, recognise their low-resolution faces under "
      "other lights, and write a report.",
      "longshot demo --out longshot-demo");
  DemoArguments& a = *arguments;
  command->add_option("--out", a.out, "Folder for the people and report.html")
      ->capture_default_str();
  command->add_option("--people", a.people, "How many people to enrol")
      ->capture_default_str()
      ->check(CLI::Range(4, 100000));
  return [arguments, &context] { return run_demo(*arguments, context); };
}

}  // namespace longshot::cli
