// SPDX-License-Identifier: Apache-2.0
#include "jobs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

#include "problem.h"
#include "text.h"

namespace longshot::server {
namespace {

constexpr std::size_t kJobsRemembered = 64;
constexpr std::size_t kWaiting = 4;  // each holds the body of its request
constexpr auto kKeepAlive = std::chrono::seconds(10);

}  // namespace

struct Jobs::Job {
  std::string id;
  std::string kind;
  std::string created_at;
  Work work;
  std::atomic<bool> cancelled = false;

  mutable std::mutex mutex;  // guards what follows
  std::string state = "waiting";
  std::string task;
  std::ptrdiff_t done = 0;
  std::ptrdiff_t total = 0;
  Json result;
  Json problem;
  std::int64_t version = 1;  // grows with every change

  bool ended() const { return state != "waiting" && state != "running"; }
  Json document() const {
    Json shown = {{"id", id},     {"kind", kind}, {"state", state}, {"created_at", created_at},
                  {"task", task}, {"done", done}, {"total", total}};
    if (!result.is_null()) shown["result"] = result;
    if (!problem.is_null()) shown["problem"] = problem;
    return shown;
  }
  void end(const char* how, Json given, Json refused) {
    const std::lock_guard lock(mutex);
    state = how;
    result = std::move(given);
    problem = std::move(refused);
    ++version;
  }
};

Jobs::Jobs() : thread_([this] { run(); }) {}

Jobs::~Jobs() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const std::shared_ptr<Job>& job : jobs_) job->cancelled = true;
  }
  changed_.notify_all();
  thread_.join();
}

Json Jobs::start(const std::string& kind, Work work) {
  auto job = std::make_shared<Job>();
  job->id = random_hexadecimal(8);
  job->kind = kind;
  job->created_at = utc_now();
  job->work = std::move(work);
  const std::lock_guard lock(mutex_);
  const auto ended = [](const std::shared_ptr<Job>& one) {
    const std::lock_guard look(one->mutex);
    return one->ended();
  };
  if (std::ranges::count_if(jobs_, [&](const auto& one) { return !ended(one); }) >=
      static_cast<std::ptrdiff_t>(kWaiting)) {
    Problem problem(503, "overloaded", "There are too many jobs: try again later.");
    problem.headers.emplace_back("Retry-After", "10");
    throw problem;
  }
  while (jobs_.size() >= kJobsRemembered) {
    const auto oldest = std::ranges::find_if(jobs_, ended);
    if (oldest == jobs_.end()) break;
    jobs_.erase(oldest);
  }
  jobs_.push_back(job);
  changed_.notify_all();
  return job->document();
}

std::shared_ptr<Jobs::Job> Jobs::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(jobs_, id, [](const auto& job) { return job->id; });
  if (found == jobs_.end()) throw Problem(404, "not_found", "There is no such job.");
  return *found;
}

Json Jobs::document(const std::string& id) const {
  const std::shared_ptr<Job> job = find(id);
  const std::lock_guard lock(job->mutex);
  return job->document();
}

Json Jobs::cancel(const std::string& id) {
  const std::shared_ptr<Job> job = find(id);
  job->cancelled = true;
  const std::lock_guard lock(job->mutex);
  if (job->state == "waiting") {
    job->state = "cancelled";
    ++job->version;
  }
  return job->document();
}

std::function<std::optional<std::string>()> Jobs::events(const std::string& id) const {
  using Clock = std::chrono::steady_clock;
  return [job = find(id), sent = std::int64_t{0}, at = Clock::now(),
          over = false]() mutable -> std::optional<std::string> {
    if (over) return std::nullopt;
    const std::lock_guard lock(job->mutex);
    if (job->version == sent) {
      if (Clock::now() - at < kKeepAlive) return "";
      at = Clock::now();
      return ": still here\n\n";
    }
    sent = job->version;
    at = Clock::now();
    over = job->ended();
    return std::string("event: ") + (over ? "end" : "progress") +
           "\ndata: " + text_of(job->document()) + "\n";
  };
}

void Jobs::run_one(Job& job) {
  {
    const std::lock_guard lock(job.mutex);
    if (job.ended()) return;
    job.state = "running";
    ++job.version;
  }
  const Progress progress = [&job](std::string_view task, std::ptrdiff_t done,
                                   std::ptrdiff_t total) {
    const std::lock_guard lock(job.mutex);
    if (job.task != task || job.done != done || job.total != total) ++job.version;
    job.task = task;
    job.done = done;
    job.total = total;
    return !job.cancelled;
  };
  const auto refused = [&](const Problem& problem) {
    job.end(problem.code == "cancelled" ? "cancelled" : "failed", nullptr,
            Json::parse(problem_document(problem)));
  };
  try {
    job.end("done", job.work(progress), nullptr);
  } catch (const Problem& problem) {
    refused(problem);
  } catch (const Error& error) {
    refused(Problem(error));
  } catch (const std::exception&) {
    refused({503, "no_memory", "There is not enough memory for this now."});
  }
  job.work = {};
}

void Jobs::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto next = std::ranges::find_if(jobs_, [](const auto& job) {
      const std::lock_guard look(job->mutex);
      return job->state == "waiting";
    });
    if (stopping_) return;
    if (next == jobs_.end()) {
      changed_.wait(lock);
      continue;
    }
    const std::shared_ptr<Job> job = *next;
    lock.unlock();
    run_one(*job);
    lock.lock();
  }
}

}  // namespace longshot::server
