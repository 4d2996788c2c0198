// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace longshot::server_test {

using Json = nlohmann::ordered_json;
using Headers = std::map<std::string, std::string>;  // names in lower case

struct Reply {
  int status = 0;  // 0: the connection ended without one
  Headers headers;
  std::string body;

  // Fails the test, naming the body, if that is none.
  Json json() const;
};

// One connection on loopback, whose every wait ends after five minutes.
class Connection {
 public:
  // Is shown every reply to request().
  using Check =
      std::function<void(const std::string& method, const std::string& target, const Reply& reply)>;

  explicit Connection(std::uint16_t port, Check check = {});
  ~Connection();
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;

  bool is_open() const { return socket_ >= 0; }
  // As much as the other side takes; false if it has closed.
  bool send(std::string_view bytes);
  void half_close();  // nothing more is sent
  Reply receive();
  // What comes next, at most so many bytes; empty: the end.
  std::string receive_some(std::size_t most = 65536);

  Reply request(const std::string& method, const std::string& target, std::string_view body = {},
                const Headers& headers = {});

 private:
  bool fill();  // the buffer; false at the end

  int socket_ = -1;
  std::string buffer_;
  Check check_;
};

std::string request_text(const std::string& method, const std::string& target,
                         std::string_view body = {}, const Headers& headers = {});

// A file of a form.
struct FormFile {
  std::string name;
  std::string content;
};
inline constexpr const char* kFormType = "multipart/form-data; boundary=a-boundary";
std::string form(const std::vector<FormFile>& files, const std::string& options = {});

}  // namespace longshot::server_test
