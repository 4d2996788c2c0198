// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/progress.h"

#include <cmath>

#include <fmt/format.h>

namespace longshot {
namespace {

class NoProgress final : public Progress {
 public:
  void begin(std::string_view /*task*/, Index /*total*/) override {}
  void advance(Index /*steps*/) override {}
  void end() override {}
};

}  // namespace

Progress& no_progress() {
  static NoProgress instance;
  return instance;
}

ProgressScope::ProgressScope(Progress& progress, std::string_view task, Index total)
    : progress_(progress) {
  progress_.begin(task, total);
}

ProgressScope::~ProgressScope() {
  progress_.end();
}

std::string time_left(Index done, Index total, double seconds) {
  if (done <= 0 || total <= 0) return "estimating";
  const double remaining = seconds * static_cast<double>(total - done) / static_cast<double>(done);
  const auto whole = static_cast<long long>(std::ceil(remaining));
  if (whole < 60) return fmt::format("{}s left", whole);
  if (whole < 3600) return fmt::format("{}m {:02}s left", whole / 60, whole % 60);
  return fmt::format("{}h {:02}m left", whole / 3600, whole % 3600 / 60);
}

}  // namespace longshot
