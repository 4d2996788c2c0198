// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/confined_decoder.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "longshot/core/confined_process.h"
#include "longshot/core/error.h"
#include "longshot/image/still_messages.h"

namespace longshot {
namespace {

using Helper = std::unique_ptr<ConfinedProcess>;

std::atomic<bool> confined_here = false;

// Decoders that look at the clock themselves complain before, in words of their own.
constexpr double kMoreSeconds = 1.0;
constexpr std::size_t kLongestProblem = 4096;  // bytes, and the name

// Helpers that wait for a picture: as many as threads have asked at once.
class IdleHelpers {
 public:
  Helper take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    // After a fork they are the other process's.
    if (owner_ != ::getpid()) helpers_.clear();
    owner_ = ::getpid();
    if (helpers_.empty()) return nullptr;
    Helper last = std::move(helpers_.back());
    helpers_.pop_back();
    return last;
  }
  void give_back(Helper helper) {
    const std::lock_guard<std::mutex> lock(mutex_);
    helpers_.push_back(std::move(helper));
  }
  void clear() {
    const std::lock_guard<std::mutex> lock(mutex_);
    helpers_.clear();
  }

 private:
  std::mutex mutex_;
  pid_t owner_ = -1;             // guarded by mutex_
  std::vector<Helper> helpers_;  // guarded by mutex_
};

IdleHelpers& idle_helpers() {
  static IdleHelpers helpers;
  return helpers;
}

ConfinedLimits confined_limits(const ReadLimits& limits) {
  ConfinedLimits confined;
  confined.max_seconds = 60.0;
  confined.max_cpu_seconds = limits.max_seconds + kMoreSeconds;
  confined.max_message = static_cast<std::int64_t>(sizeof(StillAbout)) +
                         static_cast<std::int64_t>(sizeof(double)) * kMostStillPixels;
  return confined;
}

// One picture, and the helper that is asked about it.
class Question {
 public:
  Question(ConfinedProcess& helper, std::string_view name, const ReadLimits& limits)
      : helper_(helper), name_(name), limits_(limits) {
    std::random_device device;
    secret_ = std::uint64_t{device()} << 32 | device();
    helper_.turn_to(name_, confined_limits(limits));
  }

  void ask(StillMessage what, std::string_view bytes) {
    const StillRequest request = {secret_, static_cast<std::int64_t>(name_.size()),
                                  limits_.max_seconds + kMoreSeconds, limits_};
    helper_.send(what, std::string(bytes_of(request)) + name_, bytes);
  }

  // Throws Problem with what is wrong with the picture.
  StillAbout about() {
    const std::string bytes = answer(kStillAbout);
    if (bytes.size() != sizeof(StillAbout)) refuse();
    const auto about = value_of<StillAbout>(bytes);
    const bool possible = about.rows > 0 && about.cols > 0 &&
                          about.rows <= limits_.max_pixels / about.cols &&
                          (about.damaged == 0 || about.damaged == 1);
    if (!possible) refuse();
    return about;
  }

  DecodedPhoto photo() {
    const StillAbout head = about();
    constexpr std::int64_t kPixel = sizeof(double);
    if (head.rows > limits_.max_memory / kPixel / head.cols) refuse();
    DecodedPhoto photo{Image(head.rows, head.cols), head.damaged == 1};
    for (Index at = 0; at < photo.image.size();) {
      const std::string bytes = answer(kStillPixels);
      const Index count = std::min<Index>(photo.image.size() - at, kMostStillPixels);
      const auto expected = sizeof(secret_) + static_cast<std::size_t>(count * kPixel);
      if (bytes.size() != expected) refuse();
      std::memcpy(photo.image.data() + at, bytes.data() + sizeof(secret_),
                  expected - sizeof(secret_));
      at += count;
    }
    check_image(photo.image, name_);
    return photo;
  }

  // Of the picture, not of the helper, which can go on.
  struct Problem {
    std::string sentence;
  };

 private:
  std::string answer(StillMessage expected) {
    Message message = helper_.receive();
    if (message.bytes.size() < sizeof(secret_) ||
        value_of<std::uint64_t>(message.bytes) != secret_) {
      refuse();
    }
    if (message.kind == kStillProblem) {
      if (message.bytes.size() > kLongestProblem + name_.size()) refuse();
      throw Problem{message.bytes.substr(sizeof(secret_))};
    }
    if (message.kind != expected) refuse();
    return std::move(message.bytes);
  }

  [[noreturn]] void refuse() const {
    throw Error("Cannot read {}: its decoder said what it must not say.", name_);
  }

  ConfinedProcess& helper_;
  std::string name_;
  ReadLimits limits_;
  std::uint64_t secret_ = 0;
};

// What `use` makes of a question to the helper, which waits for the next one if it can go on.
template <typename Use>
auto ask_helper(Helper helper, std::string_view name, const ReadLimits& limits, const Use& use) {
  try {
    Question question(*helper, name, limits);
    auto result = use(question);
    idle_helpers().give_back(std::move(helper));
    return result;
  } catch (const Question::Problem&) {
    idle_helpers().give_back(std::move(helper));
    throw;
  }
}

template <typename Use>
auto ask(std::string_view name, const ReadLimits& limits, const Use& use) {
  try {
    if (Helper used = idle_helpers().take()) {
      try {
        return ask_helper(std::move(used), name, limits, use);
      } catch (const Error&) {
        // What it served before may have spoilt it. A new one's failure is this picture's.
      }
    }
    return ask_helper(
        std::make_unique<ConfinedProcess>(kStillHelper, "decode", std::filesystem::path()), name,
        limits, use);
  } catch (const Question::Problem& problem) {
    throw Error(ErrorKind::bad_input, problem.sentence);
  }
}

}  // namespace

void confine_decoders(bool confined) {
  if (confined) {
    find_helper(kStillHelper);
  } else {
    idle_helpers().clear();
  }
  confined_here = confined;
}

bool decoders_are_confined() {
  return confined_here;
}

DecodedPhoto decode_confined(std::string_view bytes, std::string_view name,
                             const ReadLimits& limits) {
  limits.check();
  return ask(name, limits, [&](Question& question) {
    question.ask(kStillPixelsWanted, bytes);
    return question.photo();
  });
}

std::optional<Size> confined_size(std::string_view bytes) {
  try {
    const StillAbout about = ask("the image", {}, [&](Question& question) {
      question.ask(kStillSizeWanted, bytes);
      return question.about();
    });
    return Size{about.rows, about.cols};
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace longshot
