// SPDX-License-Identifier: Apache-2.0
#include "requests.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "longshot/core/confined_process.h"

namespace longshot::helper {
namespace {

void end_as(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) ::raise(WTERMSIG(status));
  if (status != 0) std::_Exit(EXIT_FAILURE);
}

}  // namespace

void serve_each(const std::function<void()>& serve) {
  pollfd asked = {ConfinedProcess::kSocket, POLLIN, 0};
  while (::poll(&asked, 1, -1) > 0 && (asked.revents & POLLHUP) == 0) {
    const pid_t child = ::fork();
    if (child < 0) std::_Exit(EXIT_FAILURE);
    if (child == 0) {
      serve();
      std::_Exit(EXIT_SUCCESS);
    }
    end_as(child);
  }
}

}  // namespace longshot::helper
