// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "commands.h"
#include "key_options.h"
#include "serve.h"
#include "terminal_text.h"

namespace longshot::cli {
namespace {

struct ServeArguments {
  server::ServeOptions options;
  std::string gallery;
  KeyArguments key;
  std::string token_file;
  double max_body = 32.0;    // MB
  double max_pixels = 12.0;  // millions
};

int run_serve(const ServeArguments& arguments) {
  server::ServeOptions options = arguments.options;
  options.gallery = arguments.gallery;
  options.key = read_key(arguments.key);
  options.token_file = arguments.token_file;
  server::Limits& limits = options.limits;
  limits.body_bytes = static_cast<std::size_t>(arguments.max_body * (1 << 20));
  limits.all_body_bytes = std::max(limits.all_body_bytes, limits.body_bytes);
  limits.pixels = static_cast<std::size_t>(arguments.max_pixels * 1e6);
  limits.all_pixels = std::max(limits.all_pixels, limits.pixels);
  server::ServeMessages messages;
  messages.ready = [](const std::string& address, const std::filesystem::path& tokens) {
    std::string text = fmt::format("Open {} (Ctrl-C ends it)\n", address);
    if (!tokens.empty()) text += fmt::format("It asks for a token of {}\n", tokens.string());
    print_result(text);
  };
  messages.warn = [](const std::string& sentence) { spdlog::warn("{}", shown(sentence)); };
  server::serve(options, messages);
  return kDone;
}

void add_limits(CLI::App& command, ServeArguments& a) {
  server::Limits& limits = a.options.limits;
  command.add_option("--max-body", a.max_body, "Megabytes of one request")
      ->capture_default_str()
      ->check(CLI::Range(0.001, 1024.0));
  command.add_option("--max-pixels", a.max_pixels, "Million pixels of one image")
      ->capture_default_str()
      ->check(CLI::Range(0.001, 100.0));
  command.add_option("--max-images", limits.probes, "Images of one request")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000));
  command.add_option("--max-connections", limits.connections, "Connections at once")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command
      .add_option("--rate", limits.requests_per_second,
                  "Requests a second of one token, or of one address without; 0: any number")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e6));
  command.add_option("--idle-seconds", limits.idle_seconds, "For the head of a request to arrive")
      ->capture_default_str()
      ->check(CLI::Range(0.1, 3600.0));
  command
      .add_option("--request-seconds", limits.request_seconds,
                  "For its body to arrive, and for the answer to be taken")
      ->capture_default_str()
      ->check(CLI::Range(0.1, 3600.0));
}

}  // namespace

Action add_serve(CLI::App& app, Context& /*context*/) {
  auto arguments = std::make_shared<ServeArguments>();
  CLI::App* command =
      add_command(app, "serve", "Offer a gallery as a page for the browser and an HTTP interface.",
                  "longshot serve --gallery people.gallery");
  ServeArguments& a = *arguments;
  server::Listening& listening = a.options.listening;
  command->add_option("--gallery", a.gallery, "The gallery; made if there is none")->required();
  add_key_options(*command, a.key);
  command->add_option("--host", listening.host, "Address to listen on")->capture_default_str();
  command->add_option("--port", listening.port, "Port to listen on; 0: any that is free")
      ->capture_default_str();
  command->add_option("--token-file", a.token_file,
                      "Tokens by role; made if there is none, needed for other hosts than this");
  command->add_option("--tls-cert", listening.tls_cert, "Certificate chain in PEM");
  command->add_option("--tls-key", listening.tls_key, "Its private key in PEM");
  command->add_flag("--behind-proxy", a.options.behind_proxy,
                    "A proxy on this machine brings TLS, so that none is needed here");
  command->add_option("--cors", a.options.cors, "Origin of another site whose pages may ask");
  command->add_flag("--no-audit", a.options.no_audit,
                    "Leave the gallery's log of who did what as it is; otherwise it is turned on");
  add_limits(*command, a);
  return [arguments] { return run_serve(*arguments); };
}

}  // namespace longshot::cli
