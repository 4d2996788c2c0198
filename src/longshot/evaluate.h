// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "longshot/camera.h"
#include "longshot/options.h"
#include "longshot/picture.h"
#include "longshot/recognizer.h"

// Experiments on faces of whom the truth is known: docs/method.md, "Protocols".
namespace longshot::v0 {

struct EvaluateOptions {
  std::string protocol = "roles";  // frgc, pie, ar, outdoor, yaleb or roles
  std::vector<std::string> methods = {"slrfr", "kernel", "joint"};
  std::map<std::string, MethodMaker> own_methods;  // by the names that `methods` gives them
  std::string profile = "paper";                   // or best
  bool tune = true;                                // by cross-validation on the training people
  std::map<std::string, std::string> parameters;   // of methods, set by hand: method_parameters()
  std::filesystem::path embedding;                 // the face network of the method of that name
  std::optional<Size> high;                        // nothing: the images' own size up to 48x40
  std::vector<Size> sizes = {{7, 6}, {12, 10}};    // low resolutions; none: the probes' own size
  std::vector<double> noise = {0.0};               // of the probes, grey levels of 255, each >= 0
  std::string op = "imresize";  // how gallery and training photos are brought down
  std::string probe_op;         // how probes are; empty: the same
  double jitter = 0.0;          // probes are shifted by up to so many high-resolution pixels
  std::ptrdiff_t simulated_cameras = 0;  // before the probes, one for each run
  double camera_harm = 1.0;              // of their noise, compression and blur, 0 to 1
  std::optional<Camera> camera;          // that took all probes
  bool learn_camera = false;             // from the probes of each run, without labels, instead
  bool know_camera = false;              // or be told the simulated ones
  bool use_training = true;              // false: nothing is learnt from the training people
  bool decisions = false;                // also count what identify would decide
  bool scores = false;                   // also keep what it decides about each probe,
  double fpir = 0.01;                    // at this accepted rate of false positives, 0 to 1
  std::ptrdiff_t draws = 1;              // random repetitions
  bool swap_halves = false;              // train on the second half of the subjects
  bool corresponding = false;            // ar: only the same image of the other session is a probe
  std::uint64_t seed = 1;
  std::filesystem::path detector;   // a YuNet model; empty: the Haar cascades of the system
  std::filesystem::path save_runs;  // a folder for every run as a manifest; empty: none
};

// The names that EvaluateOptions::parameters may hold, each with what it means.
LONGSHOT_API std::map<std::string, std::string> method_parameters();

// What identify decides where a rate of false positives is accepted. In percent.
struct DecidedRates {
  double fpir = 0.0;  // strangers taken for somebody
  double dir = 0.0;   // enrolled people who are known and rightly named
  std::ptrdiff_t strangers = 0;
};

struct Interval {
  double low = 0.0;
  double high = 0.0;
};

// One method at one size and noise level, over all runs of all draws. Rates in percent.
struct MethodResult {
  std::string method;
  Size size;
  double noise = 0.0;
  double rank1 = 0.0;
  double rank1_std = 0.0;           // over draws
  Interval rank1_interval;          // 95 %, over all probes
  std::vector<double> rank1_draws;  // of each draw
  std::vector<double> cmc;          // ranks 1..20
  std::ptrdiff_t gallery = 0;       // people in a run
  std::ptrdiff_t probes = 0;        // of all runs of one draw
  std::ptrdiff_t ties = 0;          // probes whose true person shares the distance with another
  std::map<double, double> dir_at_fpir;  // half of the people not enrolled
  std::map<double, DecidedRates>
      decided;  // by the rate asked for, 0 to 1, if decisions are counted
  double eer = 0.0;
  double enroll_ms_per_person = 0.0;   // on one core, relighting included
  double identify_ms_per_probe = 0.0;  // against the whole gallery of a run
  double bytes_per_person = 0.0;       // of a template in memory
  double bytes_per_probe = 0.0;        // of a probe and its distances to all people
};

// What a report says about itself.
struct ReportText {
  std::string data;     // what people call the faces; empty: the name of their folder or file
  std::string command;  // that makes the report again; may have lines
  std::string date;     // as shown; empty: now
};

// A finished experiment.
class LONGSHOT_API Evaluation {
 public:
  const std::vector<MethodResult>& results() const;  // by size, then noise, then method
  const std::vector<Rejection>& rejections() const;  // images that were left out
  // Documents; docs/interface.md names their parts.
  std::string json() const;
  std::string csv() const;
  std::string scores_csv() const;  // one line per probe, if EvaluateOptions::scores says so
  // One HTML page that needs nothing else.
  void write_report(const std::filesystem::path& path, const ReportText& text = {}) const;

  struct Value;
  explicit Evaluation(std::shared_ptr<const Value> value);  // for the library itself

 private:
  std::shared_ptr<const Value> value_;
};

// Runs a protocol on the faces of a folder, manifest or MATLAB file. Throws Error if they do not
// fit it.
LONGSHOT_API Evaluation evaluate(const std::filesystem::path& data,
                                 const EvaluateOptions& options = {},
                                 const Progress& progress = {});

struct SyntheticOptions {
  std::ptrdiff_t people = 100;  // 1 to 1,000,000
  std::ptrdiff_t photos = 5;    // of each, the first under frontal light, 1 to 1000
  Size size = {240, 200};       // of a photo, 44x37 at least
  std::ptrdiff_t training = 0;  // more people, of the role train, after those
  std::uint64_t seed = 1;
};

// Writes photos of people who do not exist, and manifest.csv with their eyes and roles, into a
// folder, which is made if there is none. Returns the number of photos.
LONGSHOT_API std::ptrdiff_t write_synthetic_people(const std::filesystem::path& folder,
                                                   const SyntheticOptions& options = {},
                                                   const Progress& progress = {});

}  // namespace longshot::v0
