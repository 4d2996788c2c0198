// SPDX-License-Identifier: Apache-2.0
#include "terminal_progress.h"

#include <algorithm>
#include <cmath>
#include <csignal>

#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include "terminal_text.h"

namespace longshot::cli {
namespace {

// Whoever asked to stop waits no longer for the next checkpoint. Files and galleries stay whole.
constexpr suseconds_t kPatience = 500'000;  // microseconds

volatile std::sig_atomic_t interrupted = 0;  // the signal

void set_timer(suseconds_t microseconds) {
  const itimerval timer{{0, 0}, {0, microseconds}};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

extern "C" void on_interrupt(int signal_number) {
  interrupted = signal_number;
  std::signal(signal_number, SIG_DFL);
  set_timer(kPatience);
}

extern "C" void on_timer(int /*signal_number*/) {
  std::raise(interrupted);
}

std::string bar(std::ptrdiff_t done, std::ptrdiff_t total) {
  constexpr std::ptrdiff_t kWidth = 30;
  const std::ptrdiff_t filled =
      total > 0 ? std::clamp<std::ptrdiff_t>(kWidth * done / total, 0, kWidth) : 0;
  return fmt::format("[{}{}] {}/{}", std::string(static_cast<std::size_t>(filled), '#'),
                     std::string(static_cast<std::size_t>(kWidth - filled), '.'), done, total);
}

std::string duration(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{}s", whole);
  if (whole < 3600) return fmt::format("{}m {:02}s", whole / 60, whole % 60);
  return fmt::format("{}h {:02}m", whole / 3600, whole % 3600 / 60);
}

}  // namespace

TerminalProgress::TerminalProgress(bool quiet)
    : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0) {}

TerminalProgress::~TerminalProgress() {
  clear();
}

v0::Progress TerminalProgress::callback() {
  return [this](std::string_view task, std::ptrdiff_t done, std::ptrdiff_t total) {
    return show(task, done, total);
  };
}

void TerminalProgress::clear() {
  if (drawn_ && terminal_) print_raw("\r\033[K");
  drawn_ = false;
}

void TerminalProgress::begin_phase(std::string_view task) {
  // A bar that was seen stays, with the time that it took.
  if (drawn_ && terminal_) {
    print_raw(fmt::format("\r\033[K{} {}\n", task_, duration(seconds_so_far())));
  }
  drawn_ = false;
  task_ = shown(task);
  started_ = Clock::now();
  shown_ = started_;
  done_ = 0;
  estimate_ = {};
}

double TerminalProgress::seconds_so_far() const {
  return std::chrono::duration<double>(Clock::now() - started_).count();
}

bool TerminalProgress::show(std::string_view task, std::ptrdiff_t done, std::ptrdiff_t total) {
  if (interrupted != 0) {
    set_timer(0);
    return false;
  }
  if (shown(task) != task_ || done < done_) begin_phase(task);
  done_ = done;
  const double seconds = seconds_so_far();
  estimate_.add(done, seconds);
  const auto interval = std::chrono::milliseconds(terminal_ ? 100 : 5000);
  if (quiet_ || Clock::now() - shown_ < interval) return true;
  shown_ = Clock::now();
  drawn_ = true;
  const double left = estimate_.left(total);
  const std::string time =
      left < 0.0 ? fmt::format("for {}", duration(seconds)) : duration(left) + " left";
  // What is one step has no parts to count.
  const std::string steps = total > 1 ? fmt::format("{} of {}, ", done, total) : "";
  if (terminal_) {
    print_raw(fmt::format("\r\033[K{} {}{}", task_, total > 1 ? bar(done, total) + " " : "", time));
  } else {
    print_raw(fmt::format("{}: {}{}\n", task_, steps, time));
  }
  return true;
}

void catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGALRM, on_timer);
}

}  // namespace longshot::cli
