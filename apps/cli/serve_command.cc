// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <spdlog/spdlog.h>

#include "commands.h"
#include "key_options.h"
#include "serve_options.h"
#include "terminal_text.h"

namespace longshot::cli {
namespace {

struct ServeCommand {
  ServeArguments serve;
  KeyArguments key;
};

int run_serve(const ServeCommand& arguments) {
  server::ServeOptions options = serve_options(arguments.serve);
  options.key = read_key(arguments.key);
  server::serve(options, serve_messages([](const std::string& sentence) {
                  spdlog::warn("{}", shown(sentence));
                }));
  return kDone;
}

}  // namespace

Action add_serve(CLI::App& app, Context& /*context*/) {
  auto arguments = std::make_shared<ServeCommand>();
  CLI::App* command =
      add_command(app, "serve", "Offer a gallery as a page for the browser and an HTTP interface.",
                  "longshot serve --gallery people.gallery");
  ServeArguments& serve = arguments->serve;
  command->add_option("--gallery", serve.gallery, "The gallery; made if there is none")->required();
  add_key_options(*command, arguments->key);
  add_serve_options(*command, serve);
  command->add_flag("--no-audit", serve.options.no_audit,
                    "Leave the gallery's log of who did what as it is; otherwise it is turned on");
  return [arguments] { return run_serve(*arguments); };
}

}  // namespace longshot::cli
