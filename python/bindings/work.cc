// SPDX-License-Identifier: Apache-2.0
#include "work.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <string>
#include <utility>

#include "helper.h"
#include "text.h"

namespace longshot::python {
namespace {

// How often the main thread looks whether Ctrl-C was pressed.
constexpr std::chrono::milliseconds kLook{50};

thread_local bool in_callback = false;
thread_local std::string acting;

bool is_main_thread() {
  const py::object threading = py::module_::import("threading");
  return threading.attr("main_thread")().attr("ident").cast<unsigned long>() ==
         PyThread_get_thread_ident();
}

// One call of the library: who is told of its progress, and what stops it.
class Errand {
 public:
  explicit Errand(const py::object& callback) : callback_(callback) {}

  Progress progress() {
    return [this](std::string_view task, std::ptrdiff_t done, std::ptrdiff_t total) {
      if (!stopped_ && !callback_.is_none()) tell(std::string(task), done, total);
      return !stopped_;
    };
  }
  bool stopped() const { return stopped_; }
  void stop_for_signals() {
    if (stopped_ || PyErr_CheckSignals() == 0) return;
    keep(std::make_exception_ptr(py::error_already_set()));
  }
  // What Python raised, if it did; otherwise what the work threw, if it did.
  void rethrow(const std::exception_ptr& thrown) const {
    if (raised_) std::rethrow_exception(raised_);
    if (thrown) std::rethrow_exception(thrown);
  }

 private:
  void tell(const std::string& task, std::ptrdiff_t done, std::ptrdiff_t total) {
    const py::gil_scoped_acquire gil;
    in_callback = true;
    try {
      const py::object answer = callback_(to_text(task), done, total);
      if (answer.is(py::bool_(false))) stopped_ = true;
    } catch (const py::error_already_set&) {
      keep(std::current_exception());
    }
    in_callback = false;
  }
  // With the GIL.
  void keep(const std::exception_ptr& raised) {
    if (!raised_) raised_ = raised;
    stopped_ = true;
  }

  const py::object& callback_;
  std::atomic<bool> stopped_ = false;
  std::exception_ptr raised_;  // guarded by the GIL
};

}  // namespace

std::string set_actor(const std::string& actor) {
  if (!actor.empty()) run_as(actor, [] {});
  return std::exchange(acting, actor);
}

const std::string& actor() {
  return acting;
}

void refuse_in_callback() {
  if (!in_callback) return;
  throw Error(ErrorKind::bad_input,
              "A progress callback cannot call longshot, which waits for the callback.");
}

void run(const py::object& callback, const std::function<void(const Progress&)>& work) {
  refuse_in_callback();
  Errand errand(callback);
  std::exception_ptr thrown;
  const std::string who = actor();
  const auto cancellable = [&] {
    run_cancellable([&] { return errand.stopped(); }, [&] { work(errand.progress()); });
  };
  const auto guarded = [&] {
    try {
      who.empty() ? cancellable() : run_as(who, cancellable);
    } catch (...) {
      thrown = std::current_exception();
    }
  };
  if (is_main_thread()) {
    // Only this thread may look for signals, so another one works.
    Helper& helper = Helper::of_this_process();
    const py::gil_scoped_release release;
    helper.work(guarded, kLook, [&] {
      const py::gil_scoped_acquire gil;
      errand.stop_for_signals();
    });
  } else {
    const py::gil_scoped_release release;
    guarded();
  }
  errand.rethrow(thrown);
}

}  // namespace longshot::python
