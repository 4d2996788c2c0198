// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "longshot/core/progress.h"
#include "longshot/image/image.h"

namespace longshot {

// Measures, on synthetic people, everything that a user of a gallery waits for:
// docs/performance.md.

struct SpeedOptions {
  Index people = 10000;                                                         // 100 to 10^8
  Size size = {7, 6};                                                           // of the probes
  std::vector<std::string> methods = {"slrfr", "kernel", "joint", "longshot"};  // at least one
  std::filesystem::path gallery;  // which must not exist yet, and is kept; empty: a temporary one
  std::uint64_t seed = 1;         // of the people

  void check() const;
};

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

struct MethodSpeed {
  std::string method;
  double index_people_per_s = 0.0;  // relit, brought down, learnt and written
  double file_identify_s = 0.0;     // 100 probes with the gallery just opened, file not cached
  // In memory, for an index of at most 3 GB.
  double load_s = kNotMeasured;         // from a file that nobody has read lately
  double cached_load_s = kNotMeasured;  // from one that was just read
  double cat_s = kNotMeasured;          // to read as many bytes of the file, as `cat` does
  double cached_cat_s = kNotMeasured;
  double probes_per_s = kNotMeasured;       // of a large batch
  double fraction_of_sgemm = kNotMeasured;  // by the operations that cannot be avoided
  double latency_ms = kNotMeasured;         // of one probe, with cold caches
  double stream_ms = kNotMeasured;          // to read what it is compared with once
  double index_bytes_per_person = kNotMeasured;
};

struct SpeedReport {
  double sgemm_gflops = 0.0;
  double read_gb_per_s = 0.0;
  int threads = 0;
  Index people = 0;
  Size size;
  double store_people_per_s = 0.0;   // photos into the gallery
  double enroll_people_per_s = 0.0;  // the same with the index of the first method
  double open_ms = 0.0;              // the gallery and its first model, file not cached
  double add_ms = 0.0;               // one person, with all indexes
  double remove_ms = 0.0;
  double bytes_per_person = 0.0;  // of the file, with all indexes
  Index peak_memory = 0;          // bytes
  std::vector<MethodSpeed> methods;
};

// Throws Error for options that cannot be, and where the gallery cannot be written.
SpeedReport measure_speed(const SpeedOptions& options, Progress& progress = no_progress());

}  // namespace longshot
