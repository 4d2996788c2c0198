// SPDX-License-Identifier: Apache-2.0
#include "terminal_progress.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <mutex>

#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include "longshot/core/error.h"

#include "terminal_text.h"

namespace longshot::cli {
namespace {

using Clock = std::chrono::steady_clock;

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

class TerminalProgress final : public Progress {
 public:
  explicit TerminalProgress(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0) {}

  void begin(std::string_view task, Index total) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    task_ = shown(task);
    total_ = total;
    done_ = 0;
    started_ = Clock::now();
    shown_ = started_;
  }

  void advance(Index steps) override {
    if (interrupted != 0) {
      set_timer(0);
      throw Cancelled();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ += steps;
    const auto interval = std::chrono::milliseconds(terminal_ ? 100 : 5000);
    if (quiet_ || Clock::now() - shown_ < interval) return;
    shown_ = Clock::now();
    drawn_ = true;
    const double seconds = std::chrono::duration<double>(shown_ - started_).count();
    if (terminal_) {
      print_raw(fmt::format("\r\033[K{} {}", bar(), time_left(done_, total_, seconds)));
    } else {
      print_raw(fmt::format("{}: {} of {}, {}\n", task_, done_, total_,
                            time_left(done_, total_, seconds)));
    }
  }

  void end() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (drawn_ && terminal_) print_raw("\r\033[K");
    drawn_ = false;
  }

 private:
  std::string bar() const {
    constexpr Index kWidth = 30;
    const Index filled = total_ > 0 ? std::clamp<Index>(kWidth * done_ / total_, 0, kWidth) : 0;
    return fmt::format("{} [{}{}] {}/{}", task_, std::string(static_cast<std::size_t>(filled), '#'),
                       std::string(static_cast<std::size_t>(kWidth - filled), '.'), done_, total_);
  }

  const bool quiet_;
  const bool terminal_;
  std::mutex mutex_;
  std::string task_;
  Index total_ = 0;
  Index done_ = 0;
  bool drawn_ = false;
  Clock::time_point started_;
  Clock::time_point shown_;
};

}  // namespace

std::unique_ptr<Progress> make_terminal_progress(bool quiet) {
  return std::make_unique<TerminalProgress>(quiet);
}

void catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGALRM, on_timer);
}

}  // namespace longshot::cli
