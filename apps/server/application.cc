// SPDX-License-Identifier: Apache-2.0
#include "application.h"

#include <chrono>
#include <new>
#include <utility>

#include "conditional.h"
#include "problem.h"
#include "routes.h"
#include "text.h"

namespace longshot::server {
namespace {

constexpr std::size_t kWorthPacking = 1400;  // bytes: what fits into one packet is sent as it is
constexpr double kFailuresPerSecond = 2.0;

// "https://a.example:8443" -> "a.example:8443".
std::string_view host_of_origin(std::string_view origin) {
  const std::size_t at = origin.find("://");
  return at == std::string_view::npos ? origin : origin.substr(at + 3);
}

// "127.0.0.1:8080" -> "127.0.0.1".
std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

bool is_packable(const std::string& type) {
  return type.starts_with("text/") || type.find("json") != std::string::npos;
}

// What is unpacked may be a thousand times as large, so nothing is.
void check_coding(const Request& head) {
  const std::string coding = lower_case(trimmed(head.header("content-encoding")));
  if (coding.empty() || coding == "identity") return;
  Problem problem(415, "unknown_type", "Bodies must come as they are, without Content-Encoding.");
  problem.headers.emplace_back("Accept-Encoding", "identity");
  throw problem;
}

Problem too_often() {
  Problem problem(429, "too_often", "Requests come too often: try again in a second.");
  problem.headers.emplace_back("Retry-After", "1");
  return problem;
}

}  // namespace

Application::Application(Service& service, AccessRules rules)
    : service_(service),
      rules_(std::move(rules)),
      rate_(service.limits.requests_per_second),
      failures_(kFailuresPerSecond) {
  add_system_routes(router_, service);
  add_people_routes(router_, service);
  add_enroll_routes(router_, service);
  add_identify_routes(router_, service);
  add_face_routes(router_, service);
  add_report_routes(router_, service);
  add_audit_routes(router_, service);
  add_camera_routes(router_, service);
  add_job_routes(router_, service);
  add_page_routes(router_);
}

// A page of another site that the user happens to look at must not work with this server, neither
// by a name of its own for our address nor by asking across sites.
void Application::check_site(const Request& head) const {
  const std::string_view host = head.header("host");
  if (rules_.only_local) {
    const std::string_view name = without_port(host);
    if (name != "127.0.0.1" && name != "localhost" && name != "[::1]") {
      throw Problem(421, "wrong_host", "This server answers for this machine's own address only.");
    }
  }
  const std::string_view origin = head.header("origin");
  if (!rules_.cors.empty() && origin == rules_.cors) return;
  const std::string_view site = head.header("sec-fetch-site");
  const bool from_elsewhere = site == "cross-site" || site == "same-site";
  if ((!origin.empty() && host_of_origin(origin) != host) ||
      (from_elsewhere && head.path.starts_with("/v1"))) {
    throw Problem(403, "cross_origin", "Pages of other sites may not ask here.");
  }
}

void Application::check_token(Request& head, const Route& route) {
  if (!rules_.tokens.needed()) {
    head.role = Role::kAdmin;
  } else if (const std::string_view given = head.header("authorization"); !given.empty()) {
    constexpr std::string_view kScheme = "bearer ";
    if (lower_case(given.substr(0, kScheme.size())) == kScheme) {
      Tokens::Holder holder = rules_.tokens.holder_of(trimmed(given.substr(kScheme.size())));
      head.role = holder.role;
      head.actor = std::move(holder.name);
    }
    if (head.role == Role::kNobody) {
      service_.metrics.add("longshot_login_failures_total");
      if (!failures_.allows(head.peer)) throw too_often();
      service_.recorder.login_failed(head.peer);
      rules_.warn("A wrong token came from " + head.peer + ".");
    }
  }
  if (head.role >= route.role) return;
  if (head.role == Role::kNobody) {
    Problem problem(401, "token_needed", "A token is needed: Authorization: Bearer TOKEN.");
    problem.headers.emplace_back("WWW-Authenticate", "Bearer");
    throw problem;
  }
  throw Problem(403, "role",
                std::string("This needs the role ") + name_of(route.role) +
                    "; the token is of the role " + name_of(head.role) + ".");
}

bool Application::is_preflight(const Request& head) const {
  return head.method == "OPTIONS" && !rules_.cors.empty() && head.header("origin") == rules_.cors;
}

std::optional<Response> Application::refuse(Request& head) {
  try {
    check_site(head);
    if (is_preflight(head)) return std::nullopt;
    const Route& route = *router_.match(head.method, head.path).route;
    check_token(head, route);
    check_coding(head);
    const std::string_view token = head.header("authorization");
    const bool limited = route.role != Role::kNobody;
    if (limited && !rate_.allows(token.empty() ? head.peer : std::string(token))) {
      throw too_often();
    }
    return std::nullopt;
  } catch (const Problem& problem) {
    service_.metrics.request(head.method == "GET" ? "GET refused" : "other refused", problem.status,
                             0.0);
    return finished(problem_response(problem), head);
  }
}

bool Application::at_once(const Request& head) const {
  return is_preflight(head) || router_.match(head.method, head.path).route->at_once;
}

Response Application::handle(const Request& request) {
  if (is_preflight(request)) return finished({204, ""}, request);
  const auto start = std::chrono::steady_clock::now();
  const Router::Match match = router_.match(request.method, request.path);
  Response response;
  try {
    as_actor(request.actor, [&] { response = match.route->run(request, match.parameters); });
  } catch (const Problem& problem) {
    response = problem_response(problem);
  } catch (const Error& error) {
    response = problem_response(Problem(error));
  } catch (const std::bad_alloc&) {
    response = problem_response({503, "no_memory", "There is not enough memory for this now."});
  } catch (const std::exception& error) {
    rules_.warn(std::string("A request failed: ") + error.what());
    response = problem_response({500, "internal", "The server made a mistake."});
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  service_.metrics.request(match.route->method + " " + match.route->pattern, response.status,
                           seconds.count());
  return finished(std::move(response), request);
}

Response Application::refusal(int status, std::string_view code, std::string_view detail) const {
  return finished(problem_response({status, std::string(code), std::string(detail)}), {});
}

Response Application::finished(Response response, const Request& request) const {
  const auto add = [&](const char* name, const std::string& value) {
    for (const auto& [known, ignored] : response.headers) {
      if (known == name) return;
    }
    response.headers.emplace_back(name, value);
  };
  add("Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  add("X-Content-Type-Options", "nosniff");
  add("Referrer-Policy", "no-referrer");
  add("Cross-Origin-Opener-Policy", "same-origin");
  add("Cross-Origin-Resource-Policy", rules_.cors.empty() ? "same-origin" : "cross-origin");
  add("Cache-Control", "no-store");
  if (request.tls) add("Strict-Transport-Security", "max-age=31536000");
  if (!rules_.cors.empty()) {
    add("Access-Control-Allow-Origin", rules_.cors);
    add("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE");
    add("Access-Control-Allow-Headers",
        "authorization, content-type, if-none-match, if-range, prefer, range");
    add("Access-Control-Expose-Headers", "Content-Range, ETag, Location, Retry-After");
  }
  add("Vary", rules_.cors.empty() ? "Accept-Encoding" : "Origin, Accept-Encoding");
  // A range is one of the bytes as they are.
  if (response.status != 206 && response.body.size() > kWorthPacking &&
      is_packable(response.type) &&
      request.header("accept-encoding").find("gzip") != std::string_view::npos) {
    response.body = gzip(response.body);
    for (auto& [name, value] : response.headers) {
      if (name == "ETag") value = packed_tag(value);
    }
    add("Content-Encoding", "gzip");
  }
  return response;
}

}  // namespace longshot::server
