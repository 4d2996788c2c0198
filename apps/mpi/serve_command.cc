// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <memory>

#include "longshot/longshot.h"

#include "cli/serve_options.h"
#include "commands.h"
#include "shard_job.h"

namespace longshot::mpi {
namespace {

struct MpiServeArguments {
  cli::ServeArguments serve;
  cli::KeyArguments key;
  bool write = false;
};

int run_serve(const MpiServeArguments& arguments, const Context& context) {
  // Whoever ends the job tells all ranks, but the others are needed until rank 0 has answered.
  if (!context.job->leads()) {
    for (const int number : {SIGTERM, SIGINT}) std::signal(number, SIG_IGN);
  }
  const Access access = arguments.write ? Access::write : Access::write_if_possible;
  ShardJob job(*context.job, {arguments.serve.gallery, access, false, arguments.key},
               context.describe);
  job.run([&](Gallery& gallery) {
    server::ServeOptions options = cli::serve_options(arguments.serve);
    options.no_audit = true;  // that of the folder is kept if it asks for one
    options.opened = std::shared_ptr<Gallery>(std::shared_ptr<void>(), &gallery);
    server::serve(options, cli::serve_messages(complain));
  });
  return kDone;
}

}  // namespace

Action add_serve(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<MpiServeArguments>();
  CLI::App* command =
      cli::add_command(app, "serve", "Offer all shards as a page and an HTTP interface.",
                       "mpirun -n 4 longshot-mpi serve --gallery people.shards");
  command->add_option("--gallery", arguments->serve.gallery, "The folder of shards")->required();
  cli::add_key_file(*command, arguments->key);
  command->add_flag("--write", arguments->write,
                    "Let people be enrolled, renamed and erased; no other job has the folder then");
  cli::add_serve_options(*command, arguments->serve);
  return [arguments, &context] { return run_serve(*arguments, context); };
}

}  // namespace longshot::mpi
