// SPDX-License-Identifier: Apache-2.0
#include "http_server.h"

#include <chrono>

#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl/context.hpp>
#include <sys/resource.h>

#include "longshot/error.h"

#include "http_session.h"

namespace longshot::server {
namespace {

net::ip::address address_of(const std::string& host) {
  if (host == "localhost") return net::ip::address_v4::loopback();
  error_code error;
  const net::ip::address address = net::ip::make_address(host, error);
  if (!error) return address;
  throw Error(ErrorKind::bad_input,
              host + " is no address to listen on: 127.0.0.1 is this machine, 0.0.0.0 all.");
}

// As many connections as the system lets us have.
void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

bool is_loopback(const std::string& host) {
  return address_of(host).is_loopback();
}

class HttpServer::Implementation {
 public:
  Implementation(const Listening& listening, const Limits& limits, Handler& handler)
      : shared(limits, handler),
        acceptor_(shared.io),
        pause_(shared.io),
        signals_(shared.io, SIGTERM, SIGINT) {
    raise_descriptor_limit();
    if (!listening.tls_cert.empty()) use_certificate(listening);
    const tcp::endpoint endpoint(address_of(listening.host), listening.port);
    error_code error;
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(net::socket_base::max_listen_connections, error);
    if (error) {
      throw Error(ErrorKind::bad_input, "Cannot listen on " + listening.host + " port " +
                                            std::to_string(listening.port) + ": " +
                                            error.message() + ".");
    }
  }

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  void run() {
    accept();
    signals_.async_wait([this](error_code error, int) {
      if (!error) stop();
    });
    shared.io.run();
    shared.pool.join();
    // What the last workers had to say to nobody.
    shared.io.restart();
    shared.io.poll();
  }

  Shared shared;

 private:
  void use_certificate(const Listening& listening) {
    tls_.emplace(net::ssl::context::tls_server);
    SSL_CTX_set_min_proto_version(tls_->native_handle(), TLS1_2_VERSION);
    error_code error;
    tls_->use_certificate_chain_file(listening.tls_cert, error);
    if (error) {
      throw Error(ErrorKind::bad_input,
                  listening.tls_cert + " holds no certificate in PEM: " + error.message() + ".");
    }
    tls_->use_private_key_file(listening.tls_key, net::ssl::context::pem, error);
    if (error) {
      throw Error(ErrorKind::bad_input,
                  listening.tls_key +
                      " is not the private key of the certificate: " + error.message() + ".");
    }
  }

  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (error == net::error::operation_aborted || !acceptor_.is_open()) return;
      if (!error) {
        open(std::move(socket));
        return accept();
      }
      // No descriptor is free, for example: others will end.
      pause_.expires_after(std::chrono::milliseconds(50));
      pause_.async_wait([this](error_code stopped) {
        if (!stopped) accept();
      });
    });
  }

  void open(tcp::socket socket) {
    if (shared.connections >= shared.limits.connections) {
      error_code ignored;
      socket.non_blocking(true, ignored);
      const std::string body =
          shared.handler.refusal(503, "overloaded", "There are too many connections.").body;
      const std::string full =
          "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
          "Content-Type: application/problem+json\r\nContent-Length: " +
          std::to_string(body.size()) + "\r\n\r\n" + body;
      if (!tls_) socket.write_some(net::buffer(full), ignored);
    } else if (tls_) {
      std::make_shared<Session<Tls>>(shared, std::move(socket), *tls_)->start();
    } else {
      std::make_shared<Session<Plain>>(shared, std::move(socket))->start();
    }
  }

  void stop() {
    shared.stopping = true;
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    const std::set<SessionBase*> sessions = shared.sessions;
    for (SessionBase* session : sessions) session->close_if_idle();
    // Asked a second time, or after the time of a request, it ends as it is.
    signals_.async_wait([this](error_code error, int) {
      if (!error) shared.io.stop();
    });
    pause_.expires_after(milliseconds(shared.limits.request_seconds));
    pause_.async_wait([this](error_code error) {
      if (!error) shared.io.stop();
    });
    wait_for_sessions();
  }

  void wait_for_sessions() {
    if (shared.sessions.empty()) {
      error_code ignored;
      signals_.cancel(ignored);
      pause_.cancel();
      return;
    }
    auto timer = std::make_shared<net::steady_timer>(shared.io, std::chrono::milliseconds(20));
    timer->async_wait([this, timer](error_code) { wait_for_sessions(); });
  }

  std::optional<net::ssl::context> tls_;
  tcp::acceptor acceptor_;
  net::steady_timer pause_;
  net::signal_set signals_;
};

HttpServer::HttpServer(const Listening& listening, const Limits& limits, Handler& handler)
    : implementation_(std::make_unique<Implementation>(listening, limits, handler)) {}
HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const {
  return implementation_->port();
}

Traffic HttpServer::traffic() const {
  const Shared& shared = implementation_->shared;
  return {shared.connections, shared.waiting, shared.body_bytes};
}

void HttpServer::run() {
  implementation_->run();
}

}  // namespace longshot::server
