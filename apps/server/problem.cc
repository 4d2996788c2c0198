// SPDX-License-Identifier: Apache-2.0
#include "problem.h"

#include <array>

#include "json.h"

namespace longshot::server {
namespace {

struct KindOfProblem {
  ErrorKind kind;
  int status;
  const char* code;
};
constexpr std::array kKinds = {
    KindOfProblem{ErrorKind::bad_input, 422, "bad_input"},
    KindOfProblem{ErrorKind::not_found, 404, "not_found"},
    KindOfProblem{ErrorKind::already_there, 409, "already_there"},
    KindOfProblem{ErrorKind::damaged, 500, "damaged"},
    KindOfProblem{ErrorKind::busy, 503, "busy"},
    KindOfProblem{ErrorKind::read_only, 403, "read_only"},
    KindOfProblem{ErrorKind::no_space, 507, "no_space"},
    KindOfProblem{ErrorKind::cancelled, 409, "cancelled"},
    KindOfProblem{ErrorKind::unsupported, 501, "unsupported"},
};

const KindOfProblem& found(ErrorKind kind) {
  for (const KindOfProblem& one : kKinds) {
    if (one.kind == kind) return one;
  }
  return kKinds[0];
}

const char* title_of(int status) {
  switch (status) {
    case 400:
    case 422:
      return "The request cannot be used";
    case 401:
      return "A token is needed";
    case 403:
      return "This is not allowed";
    case 404:
      return "There is no such thing";
    case 405:
      return "This cannot be done here";
    case 409:
      return "It does not fit what is there";
    case 416:
      return "There is no such part";
    case 413:
    case 431:
      return "The request is too large";
    case 415:
      return "The type of the body is not known";
    case 429:
    case 503:
      return "Try again later";
    default:
      return "It could not be done";
  }
}

}  // namespace

Problem::Problem(const Error& error)
    : Problem(found(error.kind()).status, found(error.kind()).code, error.what()) {
  if (status == 503) headers.emplace_back("Retry-After", "1");
}

Problem bad_request(std::string detail) {
  return {400, "bad_request", std::move(detail)};
}

std::string problem_document(const Problem& problem) {
  return text_of({{"type", "urn:longshot:problem:" + problem.code},
                  {"title", title_of(problem.status)},
                  {"status", problem.status},
                  {"code", problem.code},
                  {"detail", problem.detail}});
}

Response problem_response(const Problem& problem) {
  return {problem.status, "application/problem+json", problem_document(problem), problem.headers};
}

}  // namespace longshot::server
