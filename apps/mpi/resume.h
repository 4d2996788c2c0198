// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace longshot::mpi {

// A folder that keeps finished parts of a job, so that none is computed twice. Each part is written
// beside and renamed. Without a folder nothing is kept.
class Resume {
 public:
  // `settings` is all that the parts depend on. Throws Error if the folder is of another job.
  Resume(std::filesystem::path folder, const std::string& settings);

  std::optional<std::string> find(const std::string& part) const;
  void keep(const std::string& part, const std::string& text) const;

 private:
  std::filesystem::path folder_;  // empty: none
};

}  // namespace longshot::mpi
