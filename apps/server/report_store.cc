// SPDX-License-Identifier: Apache-2.0
#include "report_store.h"

#include <algorithm>
#include <cmath>

#include "problem.h"
#include "text.h"

namespace longshot::server {
namespace {

constexpr std::size_t kMostQuestions = 64;
constexpr std::size_t kMostBytes = std::size_t{32} << 20;

bool names(const Asked& asked, const std::string& person) {
  return std::ranges::any_of(asked.answers.answers, [&](const Answer& answer) {
    return std::ranges::find(answer.candidates, person, &Candidate::person) !=
           answer.candidates.end();
  });
}

}  // namespace

const Answer& Asked::answer(double number) const {
  if (number < 0.0 || number >= static_cast<double>(answers.answers.size()) ||
      number != std::floor(number)) {
    throw bad_request("There is no answer of that number: the first is 0.");
  }
  return answers.answers[static_cast<std::size_t>(number)];
}

std::string ReportStore::keep(Asked asked) {
  if (asked.bytes > kMostBytes) return {};
  std::string id = random_hexadecimal(16);
  const std::lock_guard lock(mutex_);
  bytes_ += asked.bytes;
  kept_.emplace_back(id, std::move(asked));
  while (kept_.size() > kMostQuestions || bytes_ > kMostBytes) {
    bytes_ -= kept_.front().second.bytes;
    kept_.pop_front();
  }
  return id;
}

std::deque<std::pair<std::string, Asked>>::const_iterator ReportStore::at(
    const std::string& id) const {
  const auto found = std::ranges::find(kept_, id, &std::pair<std::string, Asked>::first);
  if (found == kept_.end()) {
    throw Problem(404, "not_found", "That answer is not kept, or no longer: ask again.");
  }
  return found;
}

Asked ReportStore::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  return at(id)->second;
}

void ReportStore::mark(const std::string& id,
                       const std::vector<std::pair<std::size_t, Mark>>& marks) {
  const std::lock_guard lock(mutex_);
  Asked& asked = kept_[static_cast<std::size_t>(at(id) - kept_.begin())].second;
  for (const auto& [answer, mark] : marks) asked.marks[{answer, mark.person}] = mark;
}

void ReportStore::forget(const std::string& person) {
  const std::lock_guard lock(mutex_);
  std::erase_if(kept_, [&](const auto& one) {
    if (!names(one.second, person)) return false;
    bytes_ -= one.second.bytes;
    return true;
  });
}

}  // namespace longshot::server
