// SPDX-License-Identifier: Apache-2.0
#include "shard_job.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace longshot::mpi {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// An answer with the seconds that it took in front.
std::string with_seconds(double seconds, std::string_view answer) {
  std::string both(sizeof(seconds), '\0');
  std::memcpy(both.data(), &seconds, sizeof(seconds));
  return both.append(answer);
}

double seconds_of(std::string_view answer) {
  double seconds = 0.0;
  std::memcpy(&seconds, answer.data(), sizeof(seconds));
  return seconds;
}

std::string_view without_seconds(std::string_view answer) {
  return answer.substr(sizeof(double));
}

std::vector<std::ptrdiff_t> shards_of(const Job& job, std::ptrdiff_t all) {
  std::vector<std::ptrdiff_t> own;
  for (std::ptrdiff_t i = job.rank(); i < all; i += job.size()) own.push_back(i);
  return own;
}

std::string join_lines(std::string_view one, std::string_view other) {
  return std::string(one) + std::string(other);
}

std::string names_of(const std::vector<std::ptrdiff_t>& shards) {
  std::string text;
  for (const std::ptrdiff_t shard : shards) {
    text += fmt::format("{}shard-{:04}", text.empty() ? "" : ", ", shard);
  }
  return text.empty() ? "no shard" : text;
}

// Of the people, the share in these shards.
double coverage_of(const ShardsState& state, const std::vector<bool>& lost) {
  double all = 0.0;
  double there = 0.0;
  for (std::size_t i = 0; i < state.people.size(); ++i) {
    all += static_cast<double>(state.people[i]);
    if (!lost[i]) there += static_cast<double>(state.people[i]);
  }
  return all > 0.0 ? there / all : 1.0;
}

// Throws on every rank what happened on one of them.
void agree(Job& job, const std::string& complaint) {
  const std::string all = job.broadcast(job.reduce(complaint, join_lines));
  if (!all.empty()) throw Error(ErrorKind::bad_input, all.substr(0, all.find('\n')));
}

}  // namespace

ShardJob::ShardJob(Job& job, const ShardJobOptions& options, const Describe& describe)
    : job_(job), options_(options) {
  std::string complaint;
  ShardsState state;
  Key key;
  try {
    key = cli::read_key(options.key);
    state = look_at_shards(options.folder, {});
    state = look_at_shards(options.folder, shards_of(job, state.shards), key);
    for (const Rejection& one : state.unusable) {
      if (!options.allow_partial) complaint += fmt::format("{}: {}\n", one.name, one.reason);
    }
  } catch (const Error& error) {
    complaint = std::string(error.what()) + "\n";
  }
  agree(job_, complaint);
  std::string marks(static_cast<std::size_t>(state.shards), '0');
  for (const std::ptrdiff_t shard : state.usable) marks[static_cast<std::size_t>(shard)] = '1';
  marks = job_.broadcast(job_.reduce(marks, [](std::string_view one, std::string_view other) {
    std::string both(one);
    for (std::size_t i = 0; i < both.size(); ++i) both[i] = std::max(one[i], other[i]);
    return both;
  }));
  std::vector<bool> lost;
  for (const char mark : marks) lost.push_back(mark == '0');
  coverage_ = coverage_of(state, lost);
  try {
    // First, as it puts in order what a killed change has left behind.
    if (job_.leads()) {
      gallery_ = std::make_unique<Gallery>(open_shards(
          options.folder, options.access, [this](std::string_view request) { return ask(request); },
          coverage_, key));
    }
  } catch (const Error& error) {
    complaint = std::string(error.what()) + "\n";
  }
  agree(job_, complaint);
  try {
    holder_ = std::make_unique<ShardHolder>(options.folder, state.usable, key);
  } catch (const Error& error) {
    complaint = std::string(error.what()) + "\n";
  }
  agree(job_, complaint);
  describe(fmt::format("{}, which holds {}", job_.host(), names_of(state.usable)));
}

void ShardJob::take_pictures(const std::vector<Picture>& pictures, const EnrollOptions& options) {
  holder_->take_pictures(pictures, options, job_.rank(), job_.size());
}

std::string ShardJob::ask(std::string_view request) {
  const Clock::time_point start = Clock::now();
  const std::string all = job_.broadcast(std::string(request));
  const std::string result = reduce(all, timed_answer(all));
  ++cost_.requests;
  cost_.answering_s += seconds_of(result);
  cost_.messages_s += seconds_since(start) - seconds_of(result);
  return std::string(without_seconds(result));
}

std::string ShardJob::timed_answer(const std::string& request) {
  const Clock::time_point start = Clock::now();
  const std::string answer = holder_->answer(request);
  return with_seconds(seconds_since(start), answer);
}

std::string ShardJob::reduce(const std::string& request, std::string answer) {
  return job_.reduce(std::move(answer), [&](std::string_view one, std::string_view other) {
    return with_seconds(
        std::max(seconds_of(one), seconds_of(other)),
        ShardHolder::combine(request, without_seconds(one), without_seconds(other)));
  });
}

void ShardJob::answer_all() {
  while (true) {
    const std::string request = job_.broadcast("");
    if (request.empty()) return;
    reduce(request, timed_answer(request));
  }
}

void ShardJob::run(const std::function<void(Gallery&)>& work) {
  if (!job_.leads()) return answer_all();
  try {
    work(*gallery_);
  } catch (...) {
    job_.broadcast("");
    throw;
  }
  job_.broadcast("");
}

}  // namespace longshot::mpi
