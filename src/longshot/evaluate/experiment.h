// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "longshot/camera/camera.h"
#include "longshot/core/progress.h"
#include "longshot/evaluate/decision_trial.h"
#include "longshot/evaluate/open_set.h"
#include "longshot/evaluate/protocol.h"
#include "longshot/evaluate/ranking.h"
#include "longshot/evaluate/scores_csv.h"
#include "longshot/evaluate/statistics.h"
#include "longshot/evaluate/verification.h"
#include "longshot/face/face_reader.h"
#include "longshot/recognize/method.h"

namespace longshot {

struct ExperimentOptions {
  std::vector<std::string> methods = {"slrfr", "kernel", "joint"};
  // Methods that are not ours, by the names that `methods` gives them.
  std::map<std::string, std::function<std::unique_ptr<Recognizer>()>> own_methods;
  MethodOptions method;
  std::optional<Size> high;                      // nothing: the images' own size up to 48x40
  std::vector<Size> sizes = {{7, 6}, {12, 10}};  // low resolutions; empty: the probes' own size
  std::vector<double> noise = {0.0};             // of the probes, grey levels of 255, each >= 0
  DegradeOperator op;                            // of gallery and training images
  std::optional<DegradeOperator> probe_op;       // of the probes; nothing: the same
  // Cameras to put before the probes (camera/simulated_camera.h); 0: none.
  Index simulated_cameras = 0;
  double camera_harm = 1.0;  // of their noise, compression and blur, 0 to 1: gentler_range()
  // Learns the camera from the probes of each run, without their labels, and brings the gallery
  // down through it.
  bool learn_camera = false;
  bool know_camera = false;      // or is told the simulated one: the most that learning can reach
  std::optional<Camera> camera;  // or this one for all runs
  double jitter = 0.0;           // probes are shifted by up to so many high-resolution pixels
  bool decisions = false;        // also count what identify would decide, at kAskedFpirs
  bool scores = false;           // also keep what it decides about each probe,
  double fpir = 0.01;            // at this accepted rate of false positives, 0 to 1
  bool use_training = true;      // false: nothing is learnt from the training people
  std::uint64_t seed = 1;
  Index kept_confusions = 12;  // worst confusions kept for each result
  Index kept_relightings = 3;  // gallery photos kept under all lights
  FaceReadOptions reading;

  void check() const;
  // One that has learnt nothing yet. Throws Error for an unknown name.
  std::unique_ptr<Recognizer> make_method(const std::string& name) const;
};

// A probe that was taken for somebody else, with what a report shows of it.
struct ShownConfusion {
  Index probe_sample = 0;
  Index true_sample = 0;    // a gallery photo of the true person
  Index chosen_sample = 0;  // and of the chosen one
  double margin = 0.0;
};

// A gallery photo as the methods see it under other lights.
struct ShownRelighting {
  Index sample = 0;
  LightDirection estimated;            // the photo's own light
  Image albedo;                        // high resolution, 1 is the brightest hundredth
  std::vector<LightDirection> lights;  // those that are not flipped
  std::vector<Image> images;           // high resolution, as many, on one scale like the albedo
};

// False positive rates that are asked for where decisions are counted.
inline constexpr double kAskedFpirs[] = {0.1, 0.01, 0.001};

// One method at one size and noise level, over all runs of all draws. Rates in percent.
struct ExperimentResult {
  std::string method;
  Size size;
  double noise = 0.0;
  double rank1 = 0.0;
  double rank1_deviation = 0.0;    // over draws
  Interval rank1_interval;         // Wilson, over all probes, percent
  std::vector<double> draw_rank1;  // of each draw
  std::vector<double> cmc;         // ranks 1..20
  Index gallery = 0;               // people in a run
  Index probes = 0;                // of all runs of one draw
  Index tied = 0;                  // probes whose true person shares the distance with another
  std::map<double, double> dir_at_fpir;  // half of the people not enrolled
  // What identify decides where these false positive rates are accepted, if asked for.
  std::map<double, DecisionCounts> decided;
  double equal_error_rate = 0.0;
  VerificationCurve roc;      // of the first draw, thinned out for plotting
  double enrol_ms = 0.0;      // per person on one core, relighting included
  double identify_ms = 0.0;   // per probe against the whole gallery of a run
  double person_bytes = 0.0;  // of a template in memory
  double probe_bytes = 0.0;   // of a probe and its distances to all people
  std::vector<Ranks> ranks;   // of each run of each draw, for paired tests
  std::vector<ShownConfusion> confusions;
};

struct Experiment {
  Size high;
  FaceFrame frame;
  std::vector<ExperimentResult> results;  // by size, then noise, then method
  std::vector<Rejection> rejections;
  std::vector<Image> faces;  // high resolution, by sample; empty where rejected
  std::vector<ShownRelighting> relightings;
  std::vector<ProbeScores> scores;  // if asked for: by draw, size, run, method, noise, probe
};

// Runs every method on every run of the plan. What runs share (faces, relit sets, degraded images)
// is computed once. Unusable images are rejections and left out of the plan.
Experiment run_experiment(const Dataset& dataset, const ProtocolPlan& plan,
                          const ExperimentOptions& options, Progress& progress = no_progress());

}  // namespace longshot
