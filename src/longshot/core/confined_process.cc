// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/confined_process.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "longshot/core/interrupt.h"

namespace longshot {
namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string words_of(int error_number) {
  return std::generic_category().message(error_number);
}

// Closes what it holds.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

// Without waiting for whoever writes to a pipe of that name.
int open_regular(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) {
    throw Error(kind_of(errno), "Cannot read {}: {}.", path.string(), words_of(errno));
  }
  struct stat about {};
  if (::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) {
    throw Error("{} is not a file.", path.string());
  }
  if (about.st_size == 0) throw Error("{} is empty.", path.string());
  return file.release();
}

// What the dynamic linker and sanitizers need, and no more: not the user's keys, for example.
std::vector<std::string> helper_environment() {
  std::vector<std::string> kept;
  for (const char* name : {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) kept.push_back(fmt::format("{}={}", name, value));
  }
  return kept;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Standard streams lead nowhere. Both descriptors come from far above those that they become.
pid_t spawn_helper(const std::filesystem::path& program, std::vector<std::string> arguments,
                   int socket, int file) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  posix_spawn_file_actions_adddup2(&actions, socket, ConfinedProcess::kSocket);
  if (file >= 0) posix_spawn_file_actions_adddup2(&actions, file, ConfinedProcess::kFile);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A group of its own, so that Ctrl-C reaches it through us.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  std::vector<std::string> environment = helper_environment();
  pid_t process = -1;
  const int failed = ::posix_spawn(&process, program.c_str(), &actions, &attributes,
                                   pointers_to(arguments).data(), pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    throw Error(kind_of(failed), "Cannot start {}: {}.", program.string(), words_of(failed));
  }
  return process;
}

// The same file under a number that posix_spawn's dup2 never names as its target.
int moved_up(int descriptor) {
  const Descriptor low(descriptor);
  constexpr int kAbove = 16;
  const int high = ::fcntl(low.get(), F_DUPFD_CLOEXEC, kAbove);
  if (high < 0) throw Error("Too many files are open: {}.", words_of(errno));
  return high;
}

double processor_seconds(pid_t process) {
  clockid_t clock = 0;
  timespec used{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 0.0;
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

}  // namespace

void ConfinedLimits::check() const {
  if (max_memory < 1 || max_message < 1) {
    throw Error("The memory and the messages of a helper must be allowed at least one byte.");
  }
  if (!(max_cpu_seconds > 0.0) || !(max_seconds > 0.0)) {
    throw Error("The time of a helper must be above 0 seconds.");
  }
}

ConfinedProcess::ConfinedProcess(const std::string& program, const std::string& task,
                                 const std::filesystem::path& file, const ConfinedLimits& limits)
    : name_(file.empty() ? program : file.string()), limits_(limits), owner_(::getpid()) {
  limits_.check();
  const Descriptor opened(file.empty() ? -1 : moved_up(open_regular(file)));
  const std::filesystem::path helper = find_helper(program);
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw Error("Cannot talk to {}: {}.", program, words_of(errno));
  }
  Descriptor own(ends[0]);
  const Descriptor other(moved_up(ends[1]));
  process_ = spawn_helper(helper, {program, task, std::to_string(limits_.max_memory)}, other.get(),
                          opened.get());
  socket_ = own.release();
}

ConfinedProcess::~ConfinedProcess() {
  if (socket_ >= 0) ::close(socket_);
  if (owner_ == ::getpid()) end();
}

// With what it has started itself.
void ConfinedProcess::end() {
  if (process_ < 0) return;
  ::kill(-process_, SIGKILL);
  reason_of_end();
}

void ConfinedProcess::turn_to(const std::string& name, const ConfinedLimits& limits) {
  limits.check();
  name_ = name;
  limits_ = limits;
}

// Why it ended by itself, as far as that can be seen.
std::string ConfinedProcess::reason_of_end() {
  int status = 0;
  pid_t ended = 0;
  while ((ended = ::waitpid(process_, &status, 0)) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (ended < 0) return "its decoder ended without a word";
  if (WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGXCPU) {
      return fmt::format("one step took its decoder more than {:g} s of processor time",
                         limits_.max_cpu_seconds);
    }
    return fmt::format("its decoder crashed (signal {})", WTERMSIG(status));
  }
  return fmt::format("its decoder ended without a word (code {})", WEXITSTATUS(status));
}

void ConfinedProcess::fail(const std::string& reason) {
  end();
  throw Error("Cannot read {}: {}.", name_, reason);
}

// So much processor time from now on, however much was used before.
void ConfinedProcess::grant_time() {
  const double until = processor_seconds(process_) + limits_.max_cpu_seconds;
  const rlimit limit = {static_cast<rlim_t>(std::ceil(until)), RLIM_INFINITY};
  ::prlimit(process_, RLIMIT_CPU, &limit, nullptr);
}

void ConfinedProcess::send(std::uint32_t kind, std::string_view head, std::string_view bytes) {
  if (process_ < 0) fail("its decoder has ended");
  const MessageHead message{MessageHead::kMagic, kind, head.size() + bytes.size()};
  const double deadline = steady_seconds() + limits_.max_seconds;
  for (std::string_view part : {bytes_of(message), head, bytes}) {
    while (!part.empty()) {
      look_for_interrupt();
      const ssize_t sent = ::send(socket_, part.data(), part.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent > 0) {
        part.remove_prefix(static_cast<std::size_t>(sent));
      } else if (errno == EAGAIN || errno == EINTR) {
        if (steady_seconds() > deadline) fail("its decoder takes no more");
        pollfd ready = {socket_, POLLOUT, 0};
        ::poll(&ready, 1, 50);
      } else {
        fail(reason_of_end());
      }
    }
  }
}

void ConfinedProcess::receive_bytes(char* to, std::size_t count, double deadline) {
  while (count > 0) {
    look_for_interrupt();
    const ssize_t got = ::recv(socket_, to, count, MSG_DONTWAIT);
    if (got > 0) {
      to += got;
      count -= static_cast<std::size_t>(got);
    } else if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
      if (steady_seconds() > deadline) {
        fail(fmt::format("one step took its decoder more than {:g} s", limits_.max_seconds));
      }
      pollfd ready = {socket_, POLLIN, 0};
      ::poll(&ready, 1, 50);
    } else {
      fail(reason_of_end());
    }
  }
}

Message ConfinedProcess::receive() {
  if (process_ < 0) fail("its decoder has ended");
  grant_time();
  const double deadline = steady_seconds() + limits_.max_seconds;
  MessageHead head;
  receive_bytes(reinterpret_cast<char*>(&head), sizeof(head), deadline);
  if (head.magic != MessageHead::kMagic ||
      head.bytes > static_cast<std::uint64_t>(limits_.max_message)) {
    fail("its decoder said what it must not say");
  }
  Message message{head.kind, std::string(head.bytes, '\0')};
  receive_bytes(message.bytes.data(), message.bytes.size(), deadline);
  return message;
}

}  // namespace longshot
