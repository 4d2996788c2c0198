// SPDX-License-Identifier: Apache-2.0
#include "supervise.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace longshot::mpi {
namespace {

pid_t child = -1;

void pass_on(int number) {
  if (child > 0) ::kill(child, number);
}

std::string read_all(int descriptor) {
  std::string text;
  char piece[4096];
  for (ssize_t got = 0; (got = ::read(descriptor, piece, sizeof(piece))) > 0;) {
    text.append(piece, static_cast<std::size_t>(got));
  }
  return text;
}

int wait_for_child() {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

int supervised(const std::function<int(const Describe&)>& work) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return EXIT_FAILURE;
  child = ::fork();
  if (child < 0) return EXIT_FAILURE;
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::close(ends[0]);
    const int code = work([&](const std::string& who) {
      if (::write(ends[1], who.data(), who.size()) < 0) return;
    });
    std::fflush(nullptr);
    std::_Exit(code);
  }
  ::close(ends[1]);
  for (const int number : {SIGTERM, SIGINT, SIGUSR1, SIGUSR2}) std::signal(number, pass_on);
  const int status = wait_for_child();
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  std::string who = read_all(ends[0]);
  if (who.empty()) who = "a host that held no shard yet";
  // Those that mpirun ends because of another one are no news.
  if (WTERMSIG(status) != SIGTERM) {
    fmt::print(stderr, "longshot-mpi: the process on {} died by signal {}; the job ends.\n", who,
               WTERMSIG(status));
  }
  return 2;
}

}  // namespace longshot::mpi
