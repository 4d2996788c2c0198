// SPDX-License-Identifier: Apache-2.0
#include "../target.h"
#include "http_session.h"
#include "json.h"
#include "problem.h"
#include "text.h"

namespace longshot::fuzz {
namespace {

// A request from its first byte on, within the limits of the server, and what the routes read of it
// before they know what is asked.
void read_any_request(std::string_view bytes) {
  const server::Limits limits;
  boost::beast::http::request_parser<boost::beast::http::string_body> parser;
  parser.header_limit(static_cast<std::uint32_t>(limits.header_bytes));
  parser.body_limit(limits.body_bytes);
  parser.eager(true);
  boost::beast::error_code error;
  while (!bytes.empty() && !parser.is_done() && !error) {
    const std::size_t used = parser.put(boost::asio::buffer(bytes.data(), bytes.size()), error);
    if (used == 0) break;
    bytes.remove_prefix(used);
  }
  if (!parser.is_header_done()) return;
  const server::Request request = server::request_of(parser.get());
  server::percent_decoded(request.path);
  server::from_base64(parser.get().body());
  try {
    server::text_of(server::parsed_json(parser.get().body()));
  } catch (const server::Problem& problem) {
    if (problem.detail.empty()) std::terminate();
  }
}

const Registered http("http", read_any_request);

}  // namespace
}  // namespace longshot::fuzz
