// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "http.h"

namespace longshot::server {

struct Listening {
  std::string host = "127.0.0.1";  // an address, or localhost
  std::uint16_t port = 8080;       // 0: any that is free
  std::string tls_cert;            // files in PEM; both empty: no TLS
  std::string tls_key;
};

struct Traffic {
  std::size_t connections = 0;  // open now
  std::size_t waiting = 0;      // requests that wait for a thread
  std::size_t body_bytes = 0;   // being held
};

// Listens, reads requests within limits and sends what the handler answers.
class HttpServer {
 public:
  // Throws Error if the address cannot be used, or the certificate.
  HttpServer(const Listening& listening, const Limits& limits, Handler& handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  Traffic traffic() const;
  // Serves until SIGTERM or SIGINT: then nobody new is let in, running requests finish, and at
  // most request_seconds later it returns.
  void run();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// True for addresses that only this machine can reach. Throws Error for what is no address.
bool is_loopback(const std::string& host);

}  // namespace longshot::server
