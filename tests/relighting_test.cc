// SPDX-License-Identifier: Apache-2.0
// How well relit photos agree with real ones, on people who were not used to fit anything.
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "longshot/core/test_data.h"
#include "longshot/dataset/yaleb.h"
#include "longshot/face/face_reader.h"
#include "longshot/relight/albedo_prior.h"
#include "longshot/relight/builtin_prior.h"
#include "longshot/relight/relight.h"

namespace longshot {
namespace {

constexpr Size kSize = {48, 42};
// Upper ends in degrees. Lights are sorted by their azimuth, as the set names them, by the larger
// of azimuth and elevation, and by their angle to the camera's axis.
constexpr std::array<double, 3> kBins = {25.0, 50.0, 70.0};
// Between 50 and 70 there are only the four lights of azimuth 60 then; higher ones are left out.
constexpr std::array<double, 3> kLargerBins = {25.0, 50.0, 65.0};
constexpr double kHighestElevation = 45.0;
struct Bins {
  std::array<double, 3> azimuth{};
  std::array<double, 3> larger{};
  std::array<double, 3> angle{};
};

struct Photo {
  Image image;
  Eigen::Vector3d light;
  double azimuth = 0.0;  // degrees, without sign
  double larger = 0.0;   // of azimuth and elevation, degrees, without sign; infinity if too high
  double angle = 0.0;    // degrees off the camera's axis
};

struct YaleB {
  FaceFrame frame;
  std::map<std::string, std::vector<Photo>> people;
};

std::optional<YaleB> load_yaleb() {
  const auto folder = test_data("yaleb-192x168");
  if (!folder) return std::nullopt;
  const Dataset dataset = load_dataset(*folder);
  FaceReadOptions reading;
  reading.size = kSize;
  FaceReader reader(reading);
  const LoadedFaces loaded = read_faces(dataset, reader);
  YaleB set{*dataset.aligned, {}};
  for (std::size_t k = 0; k < loaded.faces.size(); ++k) {
    const Sample& sample = dataset.samples[static_cast<std::size_t>(loaded.samples[k])];
    const std::optional<FlashAngles> flash = parse_flash_angles(sample.condition);
    if (!flash) continue;
    const double azimuth = flash->azimuth * std::numbers::pi / 180.0;
    const double elevation = flash->elevation * std::numbers::pi / 180.0;
    const Eigen::Vector3d light(-std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                                std::cos(azimuth) * std::cos(elevation));
    const double angle = std::acos(std::clamp(light.z(), -1.0, 1.0)) * 180.0 / std::numbers::pi;
    const double larger = std::abs(flash->elevation) > kHighestElevation
                              ? std::numeric_limits<double>::infinity()
                              : std::max(std::abs(flash->azimuth), std::abs(flash->elevation));
    set.people[sample.subject].push_back(
        {loaded.faces[k].image, light, std::abs(flash->azimuth), larger, angle});
  }
  return set;
}

double correlation(const Vector& a, const Vector& b) {
  const Vector x = a.array() - a.mean();
  const Vector y = b.array() - b.mean();
  return x.dot(y) / std::max(1e-12, x.norm() * y.norm());
}

// Lights this far off the axis are left to photographs of shadows.
constexpr double kLargestAngle = 85.0;

using Lights = std::vector<LightDirection>;

// Mean correlation with the real photos over the last 19 people. `predict` gives the frontal photo
// under each of the lights, one per column.
template <typename Predict>
Bins mean_correlations(const YaleB& set, const Predict& predict) {
  Bins sums;
  Bins counts;
  const auto add = [](double value, double at, const std::array<double, 3>& ends,
                      std::array<double, 3>& sum, std::array<double, 3>& count) {
    for (std::size_t bin = 0; bin < ends.size(); ++bin) {
      if (at > ends[bin]) continue;
      sum[bin] += value;
      count[bin] += 1.0;
      return;
    }
  };
  std::size_t number = 0;
  for (const auto& [name, photos] : set.people) {
    if (number++ < 19) continue;
    Lights lights;
    std::vector<const Photo*> real;
    const Photo* frontal = nullptr;
    for (const Photo& photo : photos) {
      if (photo.angle == 0.0) frontal = &photo;
      if (photo.angle == 0.0 || photo.angle > kLargestAngle) continue;
      real.push_back(&photo);
      lights.push_back(light_direction(photo.light));
    }
    const Matrix relit = predict(frontal->image, lights);
    for (std::size_t k = 0; k < real.size(); ++k) {
      const double value = correlation(relit.col(static_cast<Index>(k)), real[k]->image.reshaped());
      add(value, real[k]->azimuth, kBins, sums.azimuth, counts.azimuth);
      add(value, real[k]->larger, kLargerBins, sums.larger, counts.larger);
      add(value, real[k]->angle, kBins, sums.angle, counts.angle);
    }
  }
  for (std::size_t bin = 0; bin < kBins.size(); ++bin) {
    sums.azimuth[bin] /= counts.azimuth[bin];
    sums.larger[bin] /= counts.larger[bin];
    sums.angle[bin] /= counts.angle[bin];
  }
  return sums;
}

void print(const char* what, const Bins& bins) {
  fmt::print("  {:<46}", what);
  for (const auto& figures : {bins.azimuth, bins.larger, bins.angle}) {
    fmt::print("  {:.3f} {:.3f} {:.3f}  ", figures[0], figures[1], figures[2]);
  }
  fmt::print("\n");
}

struct Recipe {
  std::optional<AlbedoPrior> prior;
  AlbedoOptions albedo;
  bool cast_shadows = true;
  OffFace off_face = OffFace::kShape;
};

Bins relit_correlations(const YaleB& set, const Recipe& recipe) {
  RelightModel model;
  model.normals = normals_of_shape(mean_face_shape(), set.frame, kSize);
  model.prior = recipe.prior;
  model.shape = mean_face_shape();
  return mean_correlations(set, [&](const Image& frontal, const Lights& lights) {
    RelightOptions options;
    options.lights = lights;
    options.mirroring = Mirroring::kNone;
    options.albedo = recipe.albedo;
    options.cast_shadows = recipe.cast_shadows;
    options.off_face = recipe.off_face;
    return relight(frontal, model, options).images;
  });
}

AlbedoPrior prior_of_training_people(const YaleB& set) {
  std::vector<const Image*> images;
  std::size_t number = 0;
  for (const auto& [name, photos] : set.people) {
    if (number++ >= 19) break;
    for (const Photo& photo : photos) {
      if (photo.angle <= 70.0) images.push_back(&photo.image);
    }
  }
  Matrix columns(kSize.pixels(), static_cast<Index>(images.size()));
  for (std::size_t k = 0; k < images.size(); ++k) {
    columns.col(static_cast<Index>(k)) = images[k]->reshaped();
  }
  return learn_albedo_prior(columns, normals_of_shape(mean_face_shape(), set.frame, kSize));
}

TEST(Relighting, FrontalPhotosOfUnseenPeopleUnderEveryLight) {
  const std::optional<YaleB> set = load_yaleb();
  if (!set) GTEST_SKIP() << "skipped: no data";
  const AlbedoPrior builtin = builtin_albedo_prior(set->frame, kSize);
  AlbedoOptions trusting;  // so little noise that the photo alone decides: the raw albedo
  trusting.noise = AlbedoNoise::kCosine;
  trusting.tau = 1e-6;
  trusting.symmetry = false;
  const Bins none =
      mean_correlations(*set, [](const Image& frontal, const Lights& lights) -> Matrix {
        return frontal.reshaped().replicate(1, static_cast<Index>(lights.size()));
      });
  const Bins raw = relit_correlations(*set, {builtin, trusting});
  const Bins local = relit_correlations(*set, {std::nullopt, {}});
  const Bins best = relit_correlations(*set, {builtin, {}});
  const Bins learnt = relit_correlations(*set, {prior_of_training_people(*set), {}});
  const Bins no_shadows = relit_correlations(*set, {builtin, {}, false});
  const Bins outline = relit_correlations(*set, {builtin, {}, true, OffFace::kPhoto});
  fmt::print(
      "  {0:<46}  by azimuth           by the larger        by angle\n"
      "  {1:<46}  {2}    {2}    {2}\n",
      "zero-mean correlation with the real photos", "", "<=25  <=50  <=70");
  print("without relighting", none);
  print("raw albedo", raw);
  print("MMSE albedo, statistics of the photo itself", local);
  print("MMSE albedo, statistics of training people", learnt);
  print("MMSE albedo, built-in statistics", best);
  print("  without cast shadows", no_shadows);
  print("  within the outline of the face only", outline);
  const std::array<double, 3> floor = {0.86, 0.82, 0.88};
  for (std::size_t bin = 0; bin < kBins.size(); ++bin) {
    EXPECT_GE(best.larger[bin], floor[bin]) << kBins[bin];
    EXPECT_GE(best.azimuth[bin], floor[bin]) << kBins[bin];
    EXPECT_GT(best.azimuth[bin], none.azimuth[bin] + 0.05) << kBins[bin];
    EXPECT_GE(best.angle[bin], 0.85) << kBins[bin];
  }
}

}  // namespace
}  // namespace longshot
