// SPDX-License-Identifier: Apache-2.0
// What is learnt of simulated cameras from a few dozen crops of people who are not enrolled, and
// what it is worth.
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "longshot/camera/camera_fit.h"
#include "longshot/camera/simulated_camera.h"
#include "longshot/core/random.h"
#include "longshot/core/test_data.h"
#include "longshot/evaluate/experiment.h"
#include "longshot/face/face_reader.h"
#include "longshot/relight/builtin_prior.h"
#include "longshot/relight/mean_face.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {
namespace {

constexpr Size kLow = {12, 10};
constexpr int kCameras = 12;

// People to enrol, and other people whom a camera sees.
struct Faces {
  FaceFrame frame;
  Size high;
  Matrix gallery;  // N_H x g, one photo of each
  Matrix others;   // N_H x n, under many lights
};

Faces synthetic_faces() {
  SyntheticPhotoOptions options;
  Faces faces{options.frame, options.size, {}, {}};
  options.lighting = frontal_lighting();
  faces.gallery = take_photos(5, 0, 70, options, 0);
  options.lighting.reset();
  faces.others.resize(options.size.pixels(), 200);
  faces.others << take_photos(5, 100, 100, options, 1), take_photos(5, 100, 100, options, 2);
  return faces;
}

// The first half of the people is enrolled with the photo of that condition. `lights`: those of the
// others, or empty for all.
Faces real_faces(const std::filesystem::path& folder, Size high, const std::string& condition,
                 const std::set<std::string>& lights = {}) {
  const Dataset dataset = load_dataset(folder);
  FaceReadOptions options;
  options.size = high;
  FaceReader reader(options);
  const LoadedFaces loaded = read_faces(dataset, reader);
  std::map<std::string, Index> subjects;
  for (const Sample& sample : dataset.samples) {
    subjects.try_emplace(sample.subject, static_cast<Index>(subjects.size()));
  }
  Matrix all(high.pixels(), static_cast<Index>(loaded.faces.size()));
  std::vector<Index> gallery;
  std::vector<Index> others;
  for (std::size_t k = 0; k < loaded.faces.size(); ++k) {
    const auto column = static_cast<Index>(k);
    all.col(column) = loaded.faces[k].image.reshaped();
    const Sample& sample = dataset.samples[static_cast<std::size_t>(loaded.samples[k])];
    if (2 * subjects[sample.subject] >= static_cast<Index>(subjects.size())) {
      // Nothing can be seen on faces that are all in shadow.
      const bool wanted = lights.empty() || lights.contains(sample.condition);
      if (wanted && all.col(column).mean() > 0.05) others.push_back(column);
    } else if (sample.condition == condition) {
      gallery.push_back(column);
    }
  }
  return {*dataset.aligned, high, all(Eigen::all, gallery), all(Eigen::all, others)};
}

struct Errors {
  // Mean absolute deviations, and below the roots of the mean squares.
  double shift = 0.0;
  double scale = 0.0;
  double blur = 0.0;  // of the logarithm
  double shift_square = 0.0;
  double scale_square = 0.0;
  double blur_square = 0.0;
  int learnt = 0;

  void add(const Camera& camera, const SimulatedCamera& truth) {
    const Registration& a = camera.registration;
    const Registration& b = truth.registration;
    learnt += camera.learnt ? 1 : 0;
    for (const double off : {a.dx - b.dx, a.dy - b.dy}) {
      shift += 0.5 * std::abs(off);
      shift_square += 0.5 * off * off;
    }
    for (const double off : {a.log_x - b.log_x, a.log_y - b.log_y}) {
      scale += 0.5 * std::abs(off);
      scale_square += 0.5 * off * off;
    }
    if (!camera.learnt) return;
    const double off = std::log(camera.op.blur_factor / truth.blur);
    blur += std::abs(off);
    blur_square += off * off;
  }
  void divide(double count) {
    for (double* value : {&shift, &scale, &blur}) *value /= count;
    for (double* value : {&shift_square, &scale_square, &blur_square}) {
      *value = std::sqrt(*value / count);
    }
  }
};

Errors recovery(const Faces& faces, Index crops, Size low = kLow) {
  RelightModel model;
  model.normals = normals_of_shape(mean_face_shape(), faces.frame, faces.high);
  model.shape = mean_face_shape();
  model.prior = builtin_albedo_prior(faces.frame, faces.high);
  MethodOptions method;
  method.profile = Profile::kBest;
  const Extender extender(std::make_shared<Relighter>(model, relight_options(method, ten_lights())),
                          FaceGeometry{faces.frame, faces.high, low, {}});
  const Matrix reference = camera_reference(Matrix(faces.high.pixels(), 0),
                                            extender.relit(faces.gallery), extender.geometry());
  Errors errors;
  for (int c = 0; c < kCameras; ++c) {
    const auto number = static_cast<std::uint64_t>(c);
    const SimulatedCamera truth = random_camera(2, number);
    std::vector<Index> chosen = Random(9, number).permutation(faces.others.cols());
    chosen.resize(static_cast<std::size_t>(crops));
    const Camera camera =
        fit_camera(take_crops(truth, faces.others(Eigen::all, chosen), faces.high, low, number),
                   reference, extender.geometry());
    errors.add(camera, truth);
  }
  errors.divide(kCameras);
  fmt::print(
      "  {} crops, mean deviation (root mean square): shift {:.1f} ({:.1f}) %, scale {:.1f} "
      "({:.1f}) "
      "%, blur {:.0f} ({:.0f}) %, {} of {} learnt\n",
      crops, 100.0 * errors.shift, 100.0 * errors.shift_square, 100.0 * errors.scale,
      100.0 * errors.scale_square, 100.0 * errors.blur, 100.0 * errors.blur_square, errors.learnt,
      kCameras);
  return errors;
}

void expect_recovery(const Faces& faces) {
  const Errors errors = recovery(faces, 50);
  EXPECT_EQ(errors.learnt, kCameras);
  EXPECT_LE(errors.shift, 0.02);
  EXPECT_LE(errors.scale, 0.02);
  EXPECT_LE(errors.scale_square, 0.025);
  EXPECT_LE(errors.blur, 0.2);
}

TEST(CameraRecovery, OnSyntheticPeople) {
  expect_recovery(synthetic_faces());
}

TEST(CameraRecovery, OnPie) {
  const auto folder = test_data("pie-c27-32x32/illum");
  if (!folder) GTEST_SKIP() << "skipped: no data";
  expect_recovery(real_faces(*folder, {32, 32}, "i20"));
}

TEST(CameraRecovery, OnYaleB) {
  const auto folder = test_data("yaleb-192x168");
  if (!folder) GTEST_SKIP() << "skipped: no data";
  expect_recovery(real_faces(*folder, {48, 40}, "A+000E+00"));
}

TEST(CameraRecovery, LightsFromAboveAndBelowAreNotTakenForATallerFace) {
  const auto folder = test_data("yaleb-192x168");
  if (!folder) GTEST_SKIP() << "skipped: no data";
  const Faces faces = real_faces(*folder, {48, 40}, "A+000E+00",
                                 {"A+000E+45", "A+000E+20", "A+020E-40", "A+000E-20"});
  const Errors errors = recovery(faces, 50, {22, 15});
  EXPECT_LE(errors.shift, 0.02);
  EXPECT_LE(errors.scale, 0.03);
}

double rank_one(const Dataset& dataset, const ProtocolPlan& plan, const ExperimentOptions& options,
                const char* what) {
  const ExperimentResult result = run_experiment(dataset, plan, options).results.front();
  fmt::print("  {:<40} {:.1f}\n", what, result.rank1);
  return result.rank1;
}

ExperimentOptions camera_options() {
  ExperimentOptions options;
  options.methods = {"longshot"};
  options.method.profile = Profile::kBest;
  options.method.tune = false;
  options.use_training = false;
  options.sizes = {kLow};
  return options;
}

TEST(CameraAccuracy, LearningTheCameraRecoversMostOfWhatItCosts) {
  const auto folder = test_data("pie-c27-32x32/illum");
  if (!folder) GTEST_SKIP() << "skipped: no data";
  const Dataset dataset = load_dataset(*folder);
  const ProtocolPlan plan = plan_protocol(ProtocolKind::kPie, dataset, {1});
  ExperimentOptions options = camera_options();
  options.simulated_cameras = 15;
  const double without = rank_one(dataset, plan, options, "through cameras");
  options.learn_camera = true;
  const double with = rank_one(dataset, plan, options, "through cameras that are learnt");
  options.know_camera = true;
  const double known = rank_one(dataset, plan, options, "through cameras that are known");
  EXPECT_GT(with, without + 20.0);
  // What noise, blur and compression destroy is lost even if the camera is known.
  EXPECT_GT(with, known - 5.0);
}

TEST(CameraAccuracy, FiveCropsDoNoHarm) {
  const auto folder = test_data("pie-c27-32x32/illum");
  if (!folder) GTEST_SKIP() << "skipped: no data";
  const Dataset dataset = load_dataset(*folder);
  ProtocolPlan plan = plan_protocol(ProtocolKind::kPie, dataset, {1});
  // Five probes of every run, of five people.
  for (longshot::Run& run : plan.draws[0].runs) {
    std::vector<Index> order = Random(3).permutation(static_cast<Index>(run.probes.size()));
    order.resize(5);
    std::vector<Index> few;
    for (const Index i : order) few.push_back(run.probes[static_cast<std::size_t>(i)]);
    run.probes = few;
  }
  ExperimentOptions options = camera_options();
  const double matched = rank_one(dataset, plan, options, "5 probes, matched");
  options.learn_camera = true;
  const double learnt = rank_one(dataset, plan, options, "5 probes, matched, camera learnt");
  // Two of the 75 probes.
  EXPECT_GE(learnt, matched - 2.7);
  options.simulated_cameras = 15;
  options.learn_camera = false;
  const double without = rank_one(dataset, plan, options, "5 probes, through cameras");
  options.learn_camera = true;
  const double with = rank_one(dataset, plan, options, "5 probes, cameras learnt");
  EXPECT_GE(with, without);
}

}  // namespace
}  // namespace longshot
