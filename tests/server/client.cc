// SPDX-License-Identifier: Apache-2.0
#include "client.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace longshot::server_test {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

Json Reply::json() const {
  Json document = Json::parse(body, nullptr, false);
  EXPECT_FALSE(document.is_discarded()) << status << ": " << body.substr(0, 300);
  return document;
}

Connection::Connection(std::uint16_t port, Check check)
    : socket_(::socket(AF_INET, SOCK_STREAM, 0)), check_(std::move(check)) {
  const timeval wait{300, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    ::close(socket_);
    socket_ = -1;
  }
}

Connection::~Connection() {
  if (socket_ >= 0) ::close(socket_);
}

Connection::Connection(Connection&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      buffer_(std::move(other.buffer_)),
      check_(std::move(other.check_)) {}

bool Connection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void Connection::half_close() {
  ::shutdown(socket_, SHUT_WR);
}

std::string Connection::receive_some(std::size_t most) {
  if (!buffer_.empty()) return std::exchange(buffer_, {});
  std::string bytes(most, '\0');
  const ssize_t got = ::recv(socket_, bytes.data(), bytes.size(), 0);
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

bool Connection::fill() {
  std::string before = std::exchange(buffer_, {});
  const std::string more = receive_some();
  buffer_ = before + more;
  return !more.empty();
}

Reply Connection::receive() {
  Reply reply;
  std::size_t end = std::string::npos;
  while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (!fill()) return reply;
  }
  const std::string head = buffer_.substr(0, end + 2);
  buffer_.erase(0, end + 4);
  reply.status = std::atoi(head.substr(head.find(' ') + 1).c_str());
  for (std::size_t at = head.find("\r\n") + 2; at < head.size();) {
    const std::size_t line_end = head.find("\r\n", at);
    const std::size_t colon = head.find(": ", at);
    if (colon < line_end) {
      reply.headers[lower(head.substr(at, colon - at))] =
          head.substr(colon + 2, line_end - colon - 2);
    }
    at = line_end + 2;
  }
  if (reply.headers.contains("transfer-encoding")) {
    std::string chunks;
    while (buffer_.find("\r\n0\r\n\r\n") == std::string::npos) {
      if (!fill()) break;
    }
    for (std::size_t at = 0; at < buffer_.size();) {
      const std::size_t length = std::strtoul(buffer_.c_str() + at, nullptr, 16);
      if (length == 0) break;
      at = buffer_.find("\r\n", at) + 2;
      reply.body += buffer_.substr(at, length);
      at += length + 2;
    }
    buffer_.clear();
    return reply;
  }
  const std::size_t length = std::strtoul(reply.headers["content-length"].c_str(), nullptr, 10);
  while (buffer_.size() < length && fill()) {
  }
  reply.body = buffer_.substr(0, length);
  buffer_.erase(0, length);
  return reply;
}

std::string request_text(const std::string& method, const std::string& target,
                         std::string_view body, const Headers& headers) {
  std::string text = method + " " + target + " HTTP/1.1\r\n";
  if (!headers.contains("host")) text += "host: localhost\r\n";
  for (const auto& [name, value] : headers) text += name + ": " + value + "\r\n";
  if (!body.empty() || method == "POST") {
    text += "content-length: " + std::to_string(body.size()) + "\r\n";
  }
  return text + "\r\n" + std::string(body);
}

Reply Connection::request(const std::string& method, const std::string& target,
                          std::string_view body, const Headers& headers) {
  if (!is_open()) return {};
  send(request_text(method, target, body, headers));
  Reply reply = receive();
  if (check_) check_(method, target, reply);
  return reply;
}

std::string form(const std::vector<FormFile>& files, const std::string& options) {
  std::string text;
  if (!options.empty()) {
    text += "--a-boundary\r\nContent-Disposition: form-data; name=\"options\"\r\n\r\n" + options +
            "\r\n";
  }
  for (const FormFile& file : files) {
    text += "--a-boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" +
            file.name + "\"\r\nContent-Type: image/png\r\n\r\n" + file.content + "\r\n";
  }
  return text + "--a-boundary--\r\n";
}

}  // namespace longshot::server_test
