// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <csignal>
#include <cstring>
#include <initializer_list>

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace longshot::cli {
namespace {

// What the libraries take of the address space: OpenBLAS asks again for ever where it gets none.
constexpr rlim_t kLeastAddresses = 800'000'000;
constexpr rlim_t kAddressesPerCore = 100'000'000;

rlim_t cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return 1;
  return static_cast<rlim_t>(CPU_COUNT(&allowed));
}

// Runs before the libraries are initialised, so it calls the system alone.
void check_address_space(int /*argc*/, char** /*argv*/, char** /*environment*/) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
      limit.rlim_cur >= kLeastAddresses + kAddressesPerCore * cores()) {
    return;
  }
  constexpr const char* kSentence =
      "longshot: There is too little address space: allow at least 0.8 GB and 0.1 GB for each core "
      "(ulimit -v).\n";
  [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, kSentence, std::strlen(kSentence));
  ::_exit(2);
}

[[gnu::section(".preinit_array"),
  gnu::used]] void (*const first_of_all)(int, char**, char**) = check_address_space;

}  // namespace

void prepare_process() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest free descriptor is this one. Opened the wrong way round, so that using it fails.
    ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

void keep_memory_private() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::prctl(PR_SET_DUMPABLE, 0);
}

}  // namespace longshot::cli
