// SPDX-License-Identifier: Apache-2.0
#pragma once

// HTTP as plain values: what the routes see of it. Only http_server.cc knows sockets.

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace longshot::server {

// Who asks; each may do what those before it may.
enum class Role { kNobody, kReader, kOperator, kAdmin };

struct Request {
  std::string method;                          // "GET"
  std::string path;                            // as it was sent, without the query
  std::map<std::string, std::string> query;    // decoded
  std::map<std::string, std::string> headers;  // names in lower case; the first of several
  std::string body;
  std::string peer;  // address of the client
  bool tls = false;
  Role role = Role::kNobody;
  std::string actor;  // name of the token; empty: none was needed

  // The value of a header, empty if there is none.
  std::string_view header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string_view() : std::string_view(found->second);
  }
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  // Instead of a body: asked now and then for what is to be sent next, empty for nothing yet,
  // nothing for the end.
  std::function<std::optional<std::string>()> stream = {};
};

// What the network asks of the rest, from several threads.
class Handler {
 public:
  virtual ~Handler() = default;
  // Asked when the head is there and before a body is read: a response refuses the request, and
  // fills in the role otherwise.
  virtual std::optional<Response> refuse(Request& head) = 0;
  // True if the answer takes no time, so that it need not wait for others.
  virtual bool at_once(const Request& head) const = 0;
  virtual Response handle(const Request& request) = 0;
  // What is sent where the network itself refuses: status, code, sentence.
  virtual Response refusal(int status, std::string_view code, std::string_view detail) const = 0;
};

// All limits are applied before what they limit is read or done.
struct Limits {
  std::size_t header_bytes = 16 * 1024;
  std::size_t body_bytes = std::size_t{32} << 20;      // of one request
  std::size_t all_body_bytes = std::size_t{48} << 20;  // of all requests that are being read
  std::size_t pixels = 12'000'000;                     // of one image
  std::size_t all_pixels = 24'000'000;                 // of all images that are being decoded
  std::size_t probes = 256;                            // images of one request
  double requests_per_second = 200.0;  // of one token, or address without one; 0: any number
  double idle_seconds = 30.0;          // for the head of a request to arrive
  double request_seconds = 120.0;      // for its body to arrive, and for the answer to be taken
  std::size_t connections = 2000;
  std::size_t waiting = 256;  // requests that wait for a thread
  int threads = 40;           // that handle requests; most of them wait for a search
};

}  // namespace longshot::server
