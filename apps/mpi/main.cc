// SPDX-License-Identifier: Apache-2.0
// longshot on the ranks of an MPI job, over a folder of shards: docs/cluster.md.
#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "longshot/longshot.h"

#include "cli/build_info.h"
#include "cli/parse_complaint.h"
#include "cli/self_description.h"
#include "cli/ways_out.h"
#include "commands.h"

namespace longshot::mpi {
namespace {

struct Command {
  CLI::App* app = nullptr;
  Action run;
};

// All cores of a host, shared by the ranks on it.
int threads_for(const Job& job, int asked) {
  const int ranks = job.ranks_here();
  if (asked > 0) return asked;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / ranks);
}

int run_command(const Action& action, Context& context) {
  Job job;
  context.job = &job;
  try {
    set_threads(threads_for(job, context.threads));
    return action();
  } catch (const Error& error) {
    if (job.leads()) complain(error.what());
    return kNothingDone;
  }
}

int run(int argc, char** argv) {
  CLI::App app(
      "Searches, fills and serves folders of shards, and runs experiments, on many machines.",
      "longshot-mpi");
  app.require_subcommand(1);
  Context context;
  app.set_version_flag("-V,--version", cli::version_line, "Print version, commit and instructions");
  app.add_option("--threads", context.threads, "Threads of each rank; 0: the host's, shared")
      ->capture_default_str();
  app.add_flag("--cost", context.cost, "Say on stderr what the messages have cost");
  std::vector<Command> commands;
  for (const auto add :
       {add_identify, add_verify, add_enroll, add_people, add_evaluate, add_serve}) {
    const std::size_t before = app.get_subcommands({}).size();
    Action action = add(app, context);
    commands.push_back({app.get_subcommands({})[before], std::move(action)});
  }
  if (const auto code = cli::describe_itself(app, {argv, argv + argc})) return *code;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    complain(cli::parse_complaint(app, error));
    return kNothingDone;
  }
  const auto chosen =
      std::ranges::find_if(commands, [](const Command& one) { return one.app->parsed(); });
  cli::offer_options_of(*chosen->app);
  return supervised([&](const Describe& describe) {
    context.describe = describe;
    return run_command(chosen->run, context);
  });
}

}  // namespace
}  // namespace longshot::mpi

int main(int argc, char** argv) {
  try {
    return longshot::mpi::run(argc, argv);
  } catch (const std::exception& error) {
    longshot::mpi::complain(error.what());
    return longshot::mpi::kNothingDone;
  }
}
