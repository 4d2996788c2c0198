// SPDX-License-Identifier: Apache-2.0
#pragma once

// One connection, for http_server.cc alone: this is where Boost is, which is slow to compile.

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>

#include "http.h"
#include "text.h"

namespace longshot::server {

namespace beast = boost::beast;
namespace http = beast::http;
namespace net = boost::asio;
using tcp = net::ip::tcp;
using beast::error_code;
using Plain = beast::tcp_stream;
using Tls = beast::ssl_stream<beast::tcp_stream>;

inline constexpr auto kStreamStep = std::chrono::milliseconds(100);
inline constexpr auto kLingering = std::chrono::seconds(1);
inline constexpr std::size_t kMostDiscarded = std::size_t{1} << 20;  // bytes

inline std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3));
}

class SessionBase {
 public:
  virtual ~SessionBase() = default;
  // Ends a connection that waits for a request.
  virtual void close_if_idle() = 0;
};

// What all connections share; touched by the network's thread only, but for the atomics.
struct Shared {
  Shared(const Limits& stated, Handler& asked)
      : limits(stated), handler(asked), pool(static_cast<std::size_t>(stated.threads)) {}

  const Limits limits;
  Handler& handler;
  std::set<SessionBase*> sessions;
  bool stopping = false;
  std::atomic<std::size_t> connections = 0;
  std::atomic<std::size_t> waiting = 0;
  std::atomic<std::size_t> body_bytes = 0;
  net::io_context io{1};  // may own the last sessions, so it goes before what they touch
  net::thread_pool pool;
};

// Bytes of a body that are being held, within the limit of all.
class Held {
 public:
  explicit Held(Shared& shared) : shared_(shared) {}
  ~Held() { shared_.body_bytes -= bytes_; }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  // False if that is too much in all.
  bool grow_to(std::size_t bytes) {
    if (bytes <= bytes_) return true;
    if (shared_.body_bytes + (bytes - bytes_) > shared_.limits.all_body_bytes) return false;
    shared_.body_bytes += bytes - bytes_;
    bytes_ = bytes;
    return true;
  }

 private:
  Shared& shared_;
  std::size_t bytes_ = 0;
};

inline Request request_of(const http::request_header<>& head) {
  Request request;
  request.method = std::string(head.method_string());
  const std::string target(head.target());
  const std::size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  if (mark != std::string::npos) request.query = parsed_query(target.substr(mark + 1));
  for (const auto& field : head) {
    request.headers.emplace(
        lower_case(std::string_view(field.name_string().data(), field.name_string().size())),
        std::string(field.value()));
  }
  return request;
}

// One connection: requests one after the other.
template <typename Stream>
class Session final : public SessionBase, public std::enable_shared_from_this<Session<Stream>> {
 public:
  template <typename... Arguments>
  explicit Session(Shared& shared, Arguments&&... arguments)
      : shared_(shared),
        stream_(std::forward<Arguments>(arguments)...),
        timer_(shared.io),
        buffer_(shared.limits.header_bytes + 128 * 1024) {
    ++shared_.connections;
    shared_.sessions.insert(this);
    error_code ignored;
    const auto peer = lowest().socket().remote_endpoint(ignored);
    peer_ = peer.address().to_string(ignored);
    lowest().socket().set_option(tcp::no_delay(true), ignored);
  }
  ~Session() override {
    --shared_.connections;
    shared_.sessions.erase(this);
  }

  void start() {
    if constexpr (std::is_same_v<Stream, Tls>) {
      lowest().expires_after(milliseconds(shared_.limits.idle_seconds));
      stream_.async_handshake(net::ssl::stream_base::server,
                              [self = this->shared_from_this()](error_code error) {
                                if (!error) self->read_head();
                              });
    } else {
      read_head();
    }
  }

  void close_if_idle() override {
    if (idle_) lowest().close();
  }

 private:
  using Parser = http::request_parser<http::string_body>;

  beast::tcp_stream& lowest() { return beast::get_lowest_layer(stream_); }

  void read_head() {
    held_.emplace(shared_);
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(shared_.limits.header_bytes));
    parser_->body_limit(shared_.limits.body_bytes);
    lowest().expires_after(milliseconds(shared_.limits.idle_seconds));
    idle_ = true;
    if (shared_.stopping && buffer_.size() == 0) return close();
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = this->shared_from_this()](error_code error, std::size_t) {
                              self->idle_ = false;
                              self->on_head(error);
                            });
  }

  void on_head(error_code error) {
    if (error) return on_read_error(error);
    request_ = request_of(parser_->get());
    request_.peer = peer_;
    request_.tls = std::is_same_v<Stream, Tls>;
    keep_alive_ = parser_->get().keep_alive();
    if (std::optional<Response> refused = shared_.handler.refuse(request_)) {
      return refuse(*std::move(refused));
    }
    if (!held_->grow_to(parser_->content_length().value_or(0))) return refuse_busy();
    lowest().expires_after(milliseconds(shared_.limits.request_seconds));
    if (lower_case(request_.header("expect")) == "100-continue") return send_continue();
    read_body();
  }

  void send_continue() {
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    net::async_write(stream_, net::buffer(kContinue),
                     [self = this->shared_from_this()](error_code error, std::size_t) {
                       if (!error) self->read_body();
                     });
  }

  void read_body() {
    if (parser_->is_done()) return dispatch();
    http::async_read_some(
        stream_, buffer_, *parser_,
        [self = this->shared_from_this()](error_code error, std::size_t) { self->on_part(error); });
  }

  void on_part(error_code error) {
    if (error) return on_read_error(error);
    if (!held_->grow_to(parser_->get().body().size())) return refuse_busy();
    read_body();
  }

  void on_read_error(error_code error) {
    const Handler& handler = shared_.handler;
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      refuse(handler.refusal(431, "header_too_large", "The head of the request is too large."));
    } else if (error == http::error::body_limit) {
      refuse(handler.refusal(413, "body_too_large", "The body of the request is too large."));
    } else if (error.category() == make_error_code(http::error::bad_method).category() &&
               error != http::error::end_of_stream && error != http::error::partial_message) {
      refuse(handler.refusal(400, "bad_request", "This is not a request of HTTP/1.1."));
    } else {
      close();
    }
  }

  void dispatch() {
    request_.body = std::move(parser_->get().body());
    lowest().expires_never();
    if (shared_.handler.at_once(request_)) return respond(shared_.handler.handle(request_));
    if (shared_.waiting >= shared_.limits.waiting) return refuse_busy();
    ++shared_.waiting;
    net::post(shared_.pool, [self = this->shared_from_this(),
                             work = net::make_work_guard(shared_.io)]() mutable {
      --self->shared_.waiting;
      auto response = std::make_shared<Response>(self->shared_.handler.handle(self->request_));
      net::post(self->shared_.io, [self, response] { self->respond(std::move(*response)); });
      // The connection belongs to the network's thread, so its last owner is there too.
      self.reset();
    });
  }

  // Without reading what follows: the connection ends with it.
  void refuse(Response response) {
    if (!parser_->is_done()) keep_alive_ = false;
    respond(std::move(response));
  }
  void refuse_busy() {
    Response response =
        shared_.handler.refusal(503, "overloaded", "There is too much to do: try again later.");
    response.headers.emplace_back("Retry-After", "1");
    refuse(std::move(response));
  }

  template <typename Message>
  void fill(Message& message, const Response& response) {
    message.version(11);
    message.result(static_cast<unsigned>(response.status));
    if (!response.type.empty()) message.set(http::field::content_type, response.type);
    for (const auto& [name, value] : response.headers) message.set(name, value);
    if (shared_.stopping) keep_alive_ = false;
    message.keep_alive(keep_alive_);
  }

  void respond(Response response) {
    held_.reset();
    const bool head_only = request_.method == "HEAD";
    request_ = {};
    lowest().expires_after(milliseconds(shared_.limits.request_seconds));
    if (response.stream && !head_only) return begin_stream(std::move(response));
    message_.emplace();
    fill(*message_, response);
    if (response.status != 204 && response.status != 304) {
      message_->content_length(response.body.size());
    }
    if (!head_only) message_->body() = std::move(response.body);
    http::async_write(
        stream_, *message_,
        [self = this->shared_from_this()](error_code error, std::size_t) { self->on_sent(error); });
  }

  void on_sent(error_code error) {
    message_.reset();
    if (error) return close();
    if (keep_alive_) return read_head();
    finish();
  }

  // Chunks as they come, with nothing held back.
  void begin_stream(Response response) {
    source_ = std::move(response.stream);
    stream_head_.emplace();
    fill(*stream_head_, response);
    stream_head_->chunked(true);
    serializer_.emplace(*stream_head_);
    http::async_write_header(stream_, *serializer_,
                             [self = this->shared_from_this()](error_code error, std::size_t) {
                               if (!error) self->next_chunk();
                             });
  }

  void next_chunk() {
    std::optional<std::string> part = source_();
    if (!part || shared_.stopping) {
      source_ = {};
      chunk_ = "0\r\n\r\n";
    } else if (part->empty()) {
      timer_.expires_after(kStreamStep);
      timer_.async_wait([self = this->shared_from_this()](error_code error) {
        if (!error) self->next_chunk();
      });
      return;
    } else {
      chunk_ = hexadecimal(part->size()) + "\r\n" + *part + "\r\n";
    }
    lowest().expires_after(milliseconds(shared_.limits.request_seconds));
    net::async_write(stream_, net::buffer(chunk_),
                     [self = this->shared_from_this()](error_code error, std::size_t) {
                       if (error) return self->close();
                       if (self->source_) return self->next_chunk();
                       self->on_sent(error);
                     });
  }

  // Says that nothing follows, and reads what the other side still sends, for it would lose the
  // answer otherwise; not for long.
  void finish() {
    error_code ignored;
    lowest().socket().shutdown(tcp::socket::shutdown_send, ignored);
    lowest().expires_after(kLingering);
    discard();
  }
  void discard() {
    buffer_.clear();
    const auto discarded = [self = this->shared_from_this()](error_code error, std::size_t bytes) {
      self->discarded_ += bytes;
      if (error || self->discarded_ > kMostDiscarded) return self->close();
      self->discard();  // within the deadline of finish()
    };
    lowest().async_read_some(buffer_.prepare(16 * 1024), discarded);
  }
  void close() { lowest().close(); }

  Shared& shared_;
  Stream stream_;
  net::steady_timer timer_;
  beast::flat_buffer buffer_;
  std::string peer_;
  bool idle_ = false;
  bool keep_alive_ = false;
  std::size_t discarded_ = 0;
  std::optional<Parser> parser_;
  std::optional<Held> held_;
  Request request_;
  std::optional<http::response<http::string_body>> message_;
  std::function<std::optional<std::string>()> source_;
  std::string chunk_;
  std::optional<http::response<http::empty_body>> stream_head_;
  std::optional<http::response_serializer<http::empty_body>> serializer_;
};

}  // namespace longshot::server
