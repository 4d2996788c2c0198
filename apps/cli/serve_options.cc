// SPDX-License-Identifier: Apache-2.0
#include "serve_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "context.h"

namespace longshot::cli {
namespace {

void add_limits(CLI::App& command, ServeArguments& arguments) {
  server::Limits& limits = arguments.options.limits;
  command.add_option("--max-body", arguments.max_body, "Megabytes of one request")
      ->capture_default_str()
      ->check(CLI::Range(0.001, 1024.0));
  command.add_option("--max-pixels", arguments.max_pixels, "Million pixels of one image")
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

void add_serve_options(CLI::App& command, ServeArguments& arguments) {
  server::Listening& listening = arguments.options.listening;
  command.add_option("--host", listening.host, "Address to listen on")->capture_default_str();
  command.add_option("--port", listening.port, "Port to listen on; 0: any that is free")
      ->capture_default_str();
  command.add_option("--token-file", arguments.token_file,
                     "Tokens by role; made if there is none, needed for other hosts than this");
  command.add_option("--tls-cert", listening.tls_cert, "Certificate chain in PEM");
  command.add_option("--tls-key", listening.tls_key, "Its private key in PEM");
  command.add_flag("--behind-proxy", arguments.options.behind_proxy,
                   "A proxy on this machine brings TLS, so that none is needed here");
  command.add_option("--cors", arguments.options.cors,
                     "Origin of another site whose pages may ask");
  add_limits(command, arguments);
}

server::ServeOptions serve_options(const ServeArguments& arguments) {
  server::ServeOptions options = arguments.options;
  options.gallery = arguments.gallery;
  options.token_file = arguments.token_file;
  server::Limits& limits = options.limits;
  limits.body_bytes = static_cast<std::size_t>(arguments.max_body * (1 << 20));
  limits.all_body_bytes = std::max(limits.all_body_bytes, limits.body_bytes);
  limits.pixels = static_cast<std::size_t>(arguments.max_pixels * 1e6);
  limits.all_pixels = std::max(limits.all_pixels, limits.pixels);
  return options;
}

server::ServeMessages serve_messages(const std::function<void(const std::string&)>& warn) {
  server::ServeMessages messages;
  messages.ready = [](const std::string& address, const std::filesystem::path& tokens) {
    std::string text = fmt::format("Open {} (Ctrl-C ends it)\n", address);
    if (!tokens.empty()) text += fmt::format("It asks for a token of {}\n", tokens.string());
    print_result(text);
  };
  messages.warn = warn;
  return messages;
}

}  // namespace longshot::cli
