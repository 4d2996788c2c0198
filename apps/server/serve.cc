// SPDX-License-Identifier: Apache-2.0
#include "serve.h"

#include "longshot/shards.h"
#include "longshot/system.h"

#include "application.h"

namespace longshot::server {
namespace {

void check(const ServeOptions& options) {
  if (options.listening.tls_cert.empty() != options.listening.tls_key.empty()) {
    throw Error(ErrorKind::bad_input, "TLS needs both: --tls-cert and --tls-key.");
  }
  if (is_loopback(options.listening.host) || options.behind_proxy ||
      !options.listening.tls_cert.empty()) {
    return;
  }
  throw Error(ErrorKind::bad_input,
              "Others can reach " + options.listening.host +
                  ", and would send faces and tokens in the clear: give --tls-cert and --tls-key, "
                  "or say --behind-proxy if a proxy on this machine brings TLS.");
}

std::string address_shown(const ServeOptions& options, std::uint16_t port) {
  const std::string& host = options.listening.host;
  const bool six = host.find(':') != std::string::npos;
  return (options.listening.tls_cert.empty() ? "http://" : "https://") +
         (six ? "[" + host + "]" : host) + ":" + std::to_string(port) + "/";
}

}  // namespace

void serve(const ServeOptions& options, const ServeMessages& messages) {
  check(options);
  set_decoders_confined(true);
  const bool local = is_loopback(options.listening.host) && !options.behind_proxy;
  AccessRules rules;
  rules.only_local = local;
  rules.cors = options.cors;
  rules.warn = messages.warn;
  std::filesystem::path token_file = options.token_file;
  if (!local && token_file.empty()) token_file = options.gallery.string() + ".tokens";
  if (!token_file.empty()) {
    Tokens::create_if_missing(token_file);
    rules.tokens = Tokens::read(token_file);
  }
  const bool made_here = !std::filesystem::exists(options.gallery);
  {
    const auto& own = options.opened;
    Service service(
        own ? Galleries{own, own, own, own} : open_galleries(options.gallery, options.key),
        options.limits);
    if (!options.no_audit && !service.writer.audited()) service.writer.set_audit(true);
    Application application(service, std::move(rules));
    HttpServer server(options.listening, options.limits, application);
    service.traffic = [&server] { return server.traffic(); };
    messages.ready(address_shown(options, server.port()), token_file);
    server.run();
  }
  // A gallery in which nobody was enrolled is gone now, and its log would be in the next one's way.
  if (made_here && !std::filesystem::exists(options.gallery)) {
    std::filesystem::remove(options.gallery.string() + ".audit");
  }
}

}  // namespace longshot::server
