// SPDX-License-Identifier: Apache-2.0
#include "confinement.h"

#include <cerrno>
#include <cmath>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "longshot/core/confined_process.h"

namespace longshot::helper {
namespace {

#if defined(LONGSHOT_SANITIZE_ADDRESS) || defined(LONGSHOT_SANITIZE_THREAD)
constexpr bool kSanitized = true;  // which takes terabytes of addresses and reads /proc as it likes
#else
constexpr bool kSanitized = false;
#endif

#if defined(__x86_64__) || defined(__aarch64__)
constexpr bool kHasFilter = !kSanitized;
#else
constexpr bool kHasFilter = false;
#endif

void limit(decltype(RLIMIT_AS) what, rlim_t most) {
  const rlimit both = {most, most};
  if (::setrlimit(what, &both) != 0) throw std::runtime_error("Cannot limit the helper.");
}

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

Filter make_filter(std::uint32_t otherwise) {
  Filter filter(seccomp_init(otherwise), &seccomp_release);
  if (!filter) throw std::runtime_error("Cannot make a filter of system calls.");
  return filter;
}

template <typename... Conditions>
void add_rule(const Filter& filter, std::uint32_t action, int call, Conditions... conditions) {
  // A call that this machine has not is none to worry about.
  if (call < 0) return;
  const int failed =
      seccomp_rule_add(filter.get(), action, call, sizeof...(conditions), conditions...);
  if (failed != 0) throw std::runtime_error("Cannot fill a filter of system calls.");
}

void load(const Filter& filter) {
  if (seccomp_load(filter.get()) != 0) throw std::runtime_error("Cannot load a filter.");
}

// What decoding needs: memory, threads, time, and reading and writing what is open.
constexpr int kAllowed[] = {SCMP_SYS(read),
                            SCMP_SYS(readv),
                            SCMP_SYS(pread64),
                            SCMP_SYS(preadv),
                            SCMP_SYS(lseek),
                            SCMP_SYS(write),
                            SCMP_SYS(writev),
                            SCMP_SYS(sendto),
                            SCMP_SYS(sendmsg),
                            SCMP_SYS(recvfrom),
                            SCMP_SYS(recvmsg),
                            SCMP_SYS(poll),
                            SCMP_SYS(ppoll),
                            SCMP_SYS(close),
                            SCMP_SYS(fstat),
                            SCMP_SYS(newfstatat),
                            SCMP_SYS(stat),
                            SCMP_SYS(lstat),
                            SCMP_SYS(statx),
                            SCMP_SYS(access),
                            SCMP_SYS(faccessat),
                            SCMP_SYS(faccessat2),
                            SCMP_SYS(readlink),
                            SCMP_SYS(readlinkat),
                            SCMP_SYS(getdents64),
                            SCMP_SYS(getcwd),
                            SCMP_SYS(fcntl),
                            SCMP_SYS(mmap),
                            SCMP_SYS(munmap),
                            SCMP_SYS(mremap),
                            SCMP_SYS(mprotect),
                            SCMP_SYS(madvise),
                            SCMP_SYS(brk),
                            SCMP_SYS(futex),
                            SCMP_SYS(set_robust_list),
                            SCMP_SYS(set_tid_address),
                            SCMP_SYS(rseq),
                            SCMP_SYS(membarrier),
                            SCMP_SYS(sched_yield),
                            SCMP_SYS(sched_getaffinity),
                            SCMP_SYS(sched_getparam),
                            SCMP_SYS(sched_getscheduler),
                            SCMP_SYS(rt_sigaction),
                            SCMP_SYS(rt_sigprocmask),
                            SCMP_SYS(rt_sigreturn),
                            SCMP_SYS(sigaltstack),
                            SCMP_SYS(tgkill),
                            SCMP_SYS(restart_syscall),
                            SCMP_SYS(getpid),
                            SCMP_SYS(gettid),
                            SCMP_SYS(getuid),
                            SCMP_SYS(geteuid),
                            SCMP_SYS(getgid),
                            SCMP_SYS(getegid),
                            SCMP_SYS(clock_gettime),
                            SCMP_SYS(clock_getres),
                            SCMP_SYS(clock_nanosleep),
                            SCMP_SYS(nanosleep),
                            SCMP_SYS(gettimeofday),
                            SCMP_SYS(time),
                            SCMP_SYS(getrandom),
                            SCMP_SYS(getrusage),
                            SCMP_SYS(sysinfo),
                            SCMP_SYS(uname),
                            SCMP_SYS(getcpu),
                            SCMP_SYS(getrlimit),
                            SCMP_SYS(prctl),
                            SCMP_SYS(seccomp),
                            SCMP_SYS(exit),
                            SCMP_SYS(exit_group)};

constexpr int kOpening[] = {SCMP_SYS(open),     SCMP_SYS(openat),     SCMP_SYS(openat2),
                            SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getdents64),
                            SCMP_SYS(getcwd),   SCMP_SYS(prctl),      SCMP_SYS(seccomp)};

constexpr int kReading[] = {SCMP_SYS(read),   SCMP_SYS(readv),    SCMP_SYS(pread64),
                            SCMP_SYS(preadv), SCMP_SYS(recvfrom), SCMP_SYS(recvmsg)};

// Of what was allowed so far.
void forbid(std::span<const int> calls) {
  if (!kHasFilter) return;
  const Filter filter = make_filter(SCMP_ACT_ALLOW);
  for (const int call : calls) add_rule(filter, SCMP_ACT_ERRNO(EPERM), call);
  load(filter);
}

}  // namespace

void limit_self(std::int64_t max_memory) {
  ::close_range(ConfinedProcess::kFile + 1, ~0U, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  if (!kSanitized) limit(RLIMIT_AS, static_cast<rlim_t>(max_memory));
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

void limit_time(double seconds) {
  // At the second limit it is killed, whatever it does about the signal.
  const auto most = static_cast<rlim_t>(std::ceil(seconds));
  const rlimit both = {most, most + 1};
  if (::setrlimit(RLIMIT_CPU, &both) != 0) throw std::runtime_error("Cannot limit the helper.");
}

void forbid_world() {
  if (!kHasFilter) return;
  const Filter filter = make_filter(SCMP_ACT_ERRNO(EPERM));
  for (const int call : kAllowed) add_rule(filter, SCMP_ACT_ALLOW, call);
  const auto read_only = [](unsigned argument) {
    return scmp_arg_cmp{argument, SCMP_CMP_MASKED_EQ, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY};
  };
  add_rule(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), read_only(1));
  add_rule(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), read_only(2));
  // Threads, but no processes. What clone3 is asked for cannot be seen here, so it is not there,
  // and the C library falls back to clone.
  add_rule(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone),
           scmp_arg_cmp{0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD});
  add_rule(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
  // For forbid_opening(), but not to lift the limit of time.
  add_rule(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), scmp_arg_cmp{0, SCMP_CMP_EQ, 0, 0},
           scmp_arg_cmp{1, SCMP_CMP_EQ, RLIMIT_NOFILE, 0});
  load(filter);
}

void forbid_opening() {
  limit(RLIMIT_NOFILE, 0);
  forbid(kOpening);
}

void forbid_input() {
  limit(RLIMIT_NOFILE, 0);
  std::vector<int> calls(std::begin(kOpening), std::end(kOpening));
  calls.insert(calls.end(), std::begin(kReading), std::end(kReading));
  forbid(calls);
}

}  // namespace longshot::helper
